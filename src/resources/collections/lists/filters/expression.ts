/** A filter in the words of a client: `status = "paid" and price > 5`, `tier in (web, db),!canary`, `contains(name, 'x')`. */
export type Expression =
  { readonly join: 'and' | 'or' | 'not'; readonly parts: readonly Expression[] } | MemberComparison

/** A comparison of one member. */
export interface MemberComparison {
  readonly name: string
  readonly operator: 'eq' | 'ne' | 'gt' | 'gte' | 'lt' | 'lte' | 'contains' | 'matches' | 'unlike' | 'exists'
  /** One of them suffices; for `ne`, none of them may be equal. */
  readonly values: readonly string[]
}

/** Symbols, and the words that OData, AIP-160 and search languages have for them. */
const OPERATORS: Readonly<Record<string, MemberComparison['operator']>> = {
  '=': 'eq',
  '==': 'eq',
  ':': 'eq',
  eq: 'eq',
  is: 'eq',
  in: 'eq',
  '!=': 'ne',
  '<>': 'ne',
  ne: 'ne',
  notin: 'ne',
  '>': 'gt',
  gt: 'gt',
  '>=': 'gte',
  ge: 'gte',
  '<': 'lt',
  lt: 'lt',
  '<=': 'lte',
  le: 'lte',
  '~': 'contains',
  contains: 'contains',
  like: 'contains',
  has: 'contains',
  '=~': 'matches',
  '!~': 'unlike',
}

const SYMBOL = /\s*(=~|!~|[=!]=|<>|[<>]=|&&|\|\||[=<>:~!(),;])/y
const WORD = /\s*([^\s"'()=!<>~:,;&|]+)/y
const QUOTED = /\s*(?:"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)')/y
/** What follows an operator may have its symbols: a time, a URL, a pattern. */
const VALUE = /\s*([^\s"',;()]+)/y

/** Undefined for a text that is not an expression. */
export function parseExpression(text: string): Expression | undefined {
  const parser = new Parser(text)
  const found = parser.either()
  return parser.isAtEnd ? found : undefined
}

class Parser {
  private readonly text: string
  private at = 0
  private depth = 0

  constructor(text: string) {
    this.text = text
  }

  get isAtEnd(): boolean {
    return this.text.slice(this.at).trim() === ''
  }

  either(): Expression | undefined {
    return this.joined('or', /^(\|\||or)$/i, () => this.joined('and', /^(&&|,|;|and)$/i, () => this.single()))
  }

  private joined(join: 'and' | 'or', word: RegExp, read: () => Expression | undefined): Expression | undefined {
    const parts: Expression[] = []
    do {
      const part = read()
      if (!part) return undefined
      parts.push(part)
    } while (this.takes(word))
    return parts.length === 1 ? parts[0] : { join, parts }
  }

  private single(): Expression | undefined {
    if (this.depth > MAX_DEPTH) return undefined
    this.depth++
    const found = this.negated() ?? this.grouped() ?? this.held() ?? this.comparison()
    this.depth--
    return found
  }

  private negated(): Expression | undefined {
    if (!this.takes(/^(!|not)$/i)) return undefined
    const part = this.single()
    return part && { join: 'not', parts: [part] }
  }

  private grouped(): Expression | undefined {
    if (!this.takes(/^\($/)) return undefined
    const inner = this.either()
    return this.takes(/^\)$/) ? inner : undefined
  }

  /** `'id' in parents` */
  private held(): Expression | undefined {
    const value = this.quoted()
    const name = value !== undefined && this.takes(/^in$/i) ? this.read(WORD) : undefined
    return value === undefined || name === undefined ? undefined : { name, operator: 'eq', values: [value] }
  }

  private comparison(): Expression | undefined {
    const name = this.read(WORD)
    if (name === undefined) return undefined
    if (/^(contains|startswith|endswith)$/i.test(name) && this.takes(/^\($/)) return this.call()
    const isNot = this.takes(/^not$/i)
    const word = this.takes(
      /^(=~|!~|[=!]=|<>|[<>]=|[=<>:~]|[a-z]+)$/i,
      (one) => OPERATORS[one.toLowerCase()] !== undefined,
    )
    const operator = word === undefined ? undefined : OPERATORS[word.toLowerCase()]
    if (!operator) return isNot ? undefined : { name, operator: 'exists', values: ['true'] }
    const values = this.takes(/^\($/) ? this.list() : [this.value()]
    if (!values?.every((one) => one !== undefined)) return undefined
    const found: MemberComparison = { name, operator, values }
    return isNot ? { join: 'not', parts: [found] } : found
  }

  /** OData's `contains(name, 'x')`. */
  private call(): Expression | undefined {
    const [name, , value] = [this.read(WORD), this.takes(/^,$/), this.value()]
    if (!this.takes(/^\)$/) || name === undefined || value === undefined) return undefined
    return { name, operator: 'contains', values: [value] }
  }

  private list(): (string | undefined)[] | undefined {
    const values = [this.value()]
    while (this.takes(/^,$/)) values.push(this.value())
    return this.takes(/^\)$/) ? values : undefined
  }

  private value(): string | undefined {
    return this.quoted() ?? this.read(VALUE)
  }

  private quoted(): string | undefined {
    return this.read(QUOTED)?.replaceAll(/\\(.)/g, '$1')
  }

  /** The next symbol or word, if it fits. */
  private takes(pattern: RegExp, fits: (word: string) => boolean = () => true): string | undefined {
    const { at } = this
    const word = this.read(SYMBOL) ?? this.read(WORD)
    if (word !== undefined && pattern.test(word) && fits(word)) return word
    this.at = at
    return undefined
  }

  private read(token: RegExp): string | undefined {
    token.lastIndex = this.at
    const found = token.exec(this.text)
    if (!found) return undefined
    this.at = token.lastIndex
    return found[1] ?? found[2]
  }
}

const MAX_DEPTH = 20
