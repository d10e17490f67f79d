import type { TextEnd } from '../documents/selection.ts'
import type { Expandable } from '../related/related-members.ts'
import type { ItemMember } from './item-members.ts'
import type { NamedValues } from './named-values.ts'

/** What a parameter of a list means. */
export type Meaning =
  /** The number of a page; `first` is that of the first one. */
  | ({ readonly kind: 'page' } & Count)
  /** How many items to skip; `first` is what skips none. */
  | ({ readonly kind: 'offset' } & Count)
  /** A token that a page gave, or the id of an item: the page after or before it. `takesId` where the name or the description asks for an id. */
  | { readonly kind: 'cursor'; readonly direction: 'after' | 'before'; readonly takesId?: true }
  | { readonly kind: 'size' }
  | {
      readonly kind: 'equal'
      readonly member: ItemMember
      readonly isSeveral: boolean
      /** The pointers of other members that may have the value instead: `from_account_id` and `to_account_id` for `account_id`. */
      readonly others?: readonly string[]
      /** Where it is not that one of the values is equal: none, every one, or whether there is a value. */
      readonly how?: 'none' | 'every' | 'absent' | 'present' | undefined
    }
  | { readonly kind: 'range'; readonly member: ItemMember; readonly bound: RangeEnd }
  /** Two bounds: `range[price]=5,10`. */
  | { readonly kind: 'between'; readonly member: ItemMember }
  /** Whether a member has a value that the name means: `filter[running]=true`. */
  | ({ readonly kind: 'named' } & NamedValues)
  /** A text that one of these members contains, or has at this end. */
  | { readonly kind: 'text'; readonly pointers: readonly string[]; readonly at?: TextEnd | undefined }
  | { readonly kind: 'sort' }
  | { readonly kind: 'direction' }
  | { readonly kind: 'fields'; readonly related?: Expandable | undefined }
  /** Asks for related items in the items; without any the contract has no place for them. */
  | { readonly kind: 'expand'; readonly related?: Expandable | undefined }
  /** An object whose members are filters, and the schema names none. */
  | { readonly kind: 'filters' }
  /** A text such as `status = "paid" and price > 5`; `holder` is the pointer of the object whose members it names, as for `labelSelector`. */
  | { readonly kind: 'expression'; readonly holder?: string }
  /** Shows items that are hidden otherwise: those whose `archived` is true, or that have an `archived_at`. */
  | { readonly kind: 'hidden'; readonly member: ItemMember }
  /** How long the request waits for something new. */
  | { readonly kind: 'wait' }
  | { readonly kind: 'unknown' }

/**
 * Whether a parameter that counts, by its name, and is a text, by its schema, takes tokens besides numbers, or pages give such tokens for
 * it. Undefined for one that is a number.
 */
type TokenSupport = 'taken' | 'given'

interface Count {
  readonly first: number
  /** The least number that the schema allows, where it says so: below `first` it means the first page too. */
  readonly least?: number | undefined
  readonly tokens?: TokenSupport | undefined
}

export interface RangeEnd {
  readonly end: 'from' | 'to'
  /** Whether the bound itself is out of the range. */
  readonly isExclusive: boolean
}

/** A documented parameter of a list, or a part of one. */
export interface ListParameter {
  /** As a client writes it: `filter[status]`. For a body a JSON pointer. */
  readonly name: string
  /** Where its value is among the parameters, or in the body. */
  readonly path: readonly string[]
  readonly meaning: Meaning
  /** The default of its schema. */
  readonly usual?: unknown
  /** Whether a request has to choose one of the values. */
  readonly isRequired?: true
  /** The values of its enumeration. */
  readonly values?: readonly unknown[]
  /** For people: `filters by /status`. */
  readonly says: string
}
