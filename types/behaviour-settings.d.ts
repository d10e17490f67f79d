// Generated from spec/behaviours.yaml by scripts/generate-behaviour-settings.ts. Do not edit: change the behaviour catalogue and run
// node scripts/generate-behaviour-settings.ts

/** The setting of every behaviour, by id. */
export interface BehaviourSettings {
  /** How is the last page marked? */
  readonly 'page.last': 'absent' | 'null' | 'empty'
  /** Does an exactly full last page carry `next`? */
  readonly 'page.exact-end': 'lookahead' | 'full-page-implies-next'
  /** May a page before the end be shorter than `limit`? */
  readonly 'page.short': 'never' | `every-${number}` | 'random'
  /** What does limit=0 do? */
  readonly 'limit.zero': 'error' | 'default' | 'empty'
  /** What does a negative limit do? */
  readonly 'limit.negative': 'error' | 'default'
  /** What is the largest limit? */
  readonly 'limit.max': 'none' | `clamp:${number}` | `error:${number}`
  /** What does a limit above 2147483647 do? */
  readonly 'limit.int32': 'error' | 'clamp'
  /** Which spellings of `limit` are refused? */
  readonly 'limit.format': 'strict' | 'default-if-blank'
  /** May `limit` differ between the pages of one search? */
  readonly 'limit.change': 'honour' | 'error'
  /** What does a blank `next` do? */
  readonly 'next.blank': 'first' | 'error'
  /** What does a token do when the rest of the search is omitted (`{}` and no directoryPath)? */
  readonly 'next.omitted-query': 'inherit' | 'reevaluate' | 'error'
  /** What does a token do with a different filter, sort, directory or flag? */
  readonly 'next.conflict': 'error' | 'ignore' | 'reevaluate'
  /** What does a token of another file set do? */
  readonly 'next.other-set': 'error' | 'ignore' | 'reevaluate'
  /** What does a token do with another key than the one that received it? */
  readonly 'next.other-key': 'accept' | 'error'
  /** What does a token do that was changed, cut or invented, or is the string `null` or `undefined`? */
  readonly 'next.tampered': 'error' | 'first-page' | 'empty'
  /** What is in the token? */
  readonly 'next.content': 'opaque' | 'plain'
  /** How long is a token valid? */
  readonly 'next.expiry': 'none' | `ttl:${number}`
  /** What does the same token do a second time? */
  readonly 'next.reuse': 'same-page'
  /** What happens when entries are inserted, deleted or renamed between two pages? */
  readonly 'page.changes': 'keyset' | 'snapshot' | 'offset'
  /** How deep can a client page? */
  readonly 'page.window': 'none' | `${number}`
  /** Can a token replace the key? */
  readonly 'next.auth': 'key-required'
  /** What does an unknown fileSetId do? */
  readonly 'set.unknown': '404' | '403' | '400' | 'empty'
  /** Must a fileSetId be a UUID? */
  readonly 'set.id-form': 'any' | 'uuid-or-400'
  /** When does a search see that files were added, changed or removed? */
  readonly 'search.lag': 'none' | `${number}`
  /** Which files of a file set does a key see? */
  readonly 'search.visible': 'all' | 'own' | 'listed'
  /** Are size, hash and contentType of a file known right after it was added? */
  readonly 'file.pending': 'complete' | `null for ${number}`
  /** Which values do fileType and hashAlgorithm have? */
  readonly 'file.types': {
    readonly fileTypes: readonly ('IMAGE' | 'AUDIO' | 'VIDEO' | 'TEXT' | 'DOCUMENT' | 'OTHER')[]
    readonly hashAlgorithms: readonly ('SHA_256_HEX' | 'SHA_1_HEX' | 'MD5_HEX')[]
  }
  /** What are indexStatus, indexReason and connectorKey? */
  readonly 'file.index': 'null' | 'varied'
  /** What is downloadUrl? */
  readonly 'file.download-url': 'empty' | 'url'
  /** How many fraction digits does `created` have? */
  readonly 'file.created-precision': 'millis' | 'micros' | 'nanos'
  /** How is the moment in `created` spelt? */
  readonly 'file.created-spelling': 'z' | 'offset' | 'mixed'
  /** Do leading, trailing and doubled slashes count in a directoryPath? */
  readonly 'dir.slashes': 'normalise' | 'exact'
  /** What do `.`, `..` and NUL do in a directoryPath? */
  readonly 'dir.dots': 'error' | 'literal'
  /** Do case and Unicode form count in a directoryPath? */
  readonly 'dir.case': 'exact' | 'case-insensitive' | 'nfc'
  /** What does a directory that does not exist do? */
  readonly 'dir.missing': 'empty' | '404'
  /** What does a directoryPath that names a file do? */
  readonly 'dir.file': 'empty' | '404' | '400'
  /** Does the directoryPath `rep` reach into `reports`? */
  readonly 'dir.segment': 'segment' | 'prefix'
  /** Where does a search without a directoryPath, or with a blank one, begin? */
  readonly 'dir.blank': 'root'
  /** What does immediateChildren=true do without a directoryPath? */
  readonly 'dir.children-root': 'root' | 'error'
  /** What does immediateChildren=false list? */
  readonly 'dir.recursive': 'all-descendants'
  /** Is the directory itself in its own list? */
  readonly 'dir.self': 'exclude' | 'include'
  /** Do recursive lists contain directory entries? */
  readonly 'dir.entries': 'always' | 'immediate-only' | 'never'
  /** Do filters apply to directory entries? */
  readonly 'dir.filtered': 'filtered' | 'bypass'
  /** Does a directory exist that only the path of a file implies? */
  readonly 'dir.implied': 'materialise' | 'explicit-only'
  /** Which fields does a directory entry have? */
  readonly 'dir.fields': 'bare' | 'null-filled'
  /** Do directories count against the limit? */
  readonly 'dir.counted': 'counted'
  /** In which order are entries without a fieldSort? */
  readonly 'sort.default': 'path' | 'created' | 'id' | 'shuffled'
  /** What does a fieldSort without an order, or with order null, do? */
  readonly 'sort.order-absent': 'asc' | 'error'
  /** Which orders are accepted? */
  readonly 'sort.order-values': 'closed' | 'any-case' | 'asc-only'
  /** By which fields can entries be sorted? */
  readonly 'sort.fields': readonly (
    'id' | 'path' | 'name' | 'fileType' | 'contentType' | 'size' | 'created' | 'createdBy'
  )[]
  /** What does a sort by an unknown field do? */
  readonly 'sort.unknown': 'error' | 'ignore'
  /** What does the same field twice in fieldSort do? */
  readonly 'sort.duplicate': 'first' | 'error'
  /** Where do null values go, such as the size of a directory? */
  readonly 'sort.nulls': 'largest' | 'first' | 'last'
  /** In which order are strings? */
  readonly 'sort.collation': 'codepoint' | 'case-insensitive'
  /** In which order are entries with equal sort keys? */
  readonly 'sort.tie': 'id-asc'
  /** How many sort keys may there be? */
  readonly 'sort.max': number
  /** Which operators are accepted? */
  readonly 'filter.operators': readonly (
    'LIKE' | 'EQUALS' | 'IN' | 'GREATER_THAN' | 'GREATER_THAN_OR_EQUAL' | 'LESS_THAN' | 'LESS_THAN_OR_EQUAL' | 'IS_NULL'
  )[]
  /** By which fields can entries be filtered, and what does another field do? */
  readonly 'filter.fields': {
    readonly fields: readonly (
      | 'id'
      | 'path'
      | 'name'
      | 'fileType'
      | 'contentType'
      | 'size'
      | 'hash'
      | 'hashAlgorithm'
      | 'downloadUrl'
      | 'created'
      | 'createdBy'
      | 'connectorKey'
      | 'indexStatus'
      | 'indexReason'
    )[]
    readonly unknown: 'error' | 'ignore' | 'none'
  }
  /** Which part of a string must a LIKE pattern match? */
  readonly 'like.shape': 'contains' | 'anchored' | 'prefix'
  /** Does case count in LIKE? */
  readonly 'like.case': 'insensitive' | 'sensitive'
  /** What do `%`, `_` and the backslash mean in LIKE? */
  readonly 'like.wildcards': 'sql' | 'literal'
  /** How long can a LIKE pattern take? */
  readonly 'like.engine': 'linear'
  /** Does case count in EQUALS and IN? */
  readonly 'equals.case': 'sensitive' | 'insensitive'
  /** What does a filter with the value `[]`, null, or no value do? */
  readonly 'filter.empty': 'error' | 'none' | 'all'
  /** What do several values in one filter mean? */
  readonly 'filter.values': 'any' | 'first'
  /** How do several filters and dateFilters combine? */
  readonly 'filter.several': 'and' | 'or'
  /** What does a filter value that is not a string do? */
  readonly 'filter.value-type': 'strict' | 'coerce'
  /** How are size and createdBy filtered? */
  readonly 'filter.numbers': 'exact-integer'
  /** What does LIKE do on size and createdBy? */
  readonly 'filter.numeric-like': 'error' | 'digits'
  /** How is `created` compared in filters? */
  readonly 'filter.created': 'instant' | 'text'
  /** What do GREATER_THAN and similar operators do on strings? */
  readonly 'filter.text-compare': 'on' | 'error'
  /** What does IS_NULL match? */
  readonly 'filter.is-null': 'null-or-absent'
  /** Does a filter with `not` include entries whose field is null? */
  readonly 'filter.not-null': 'complement' | 'sql'
  /** What does a filter without an operator, or with operator null, do? */
  readonly 'filter.operator-absent': 'error' | 'EQUALS'
  /** How many filters, values and characters may there be? */
  readonly 'filter.max': { readonly filters: number; readonly values: number; readonly characters: number }
  /** How much work may a LIKE filter cause? */
  readonly 'filter.work': number
  /** Does the start of a date filter belong to the range? */
  readonly 'date.start': 'inclusive' | 'exclusive'
  /** Does the end of a date filter belong to the range? */
  readonly 'date.end': 'inclusive' | 'exclusive'
  /** What does a null or absent end mean? */
  readonly 'date.open-end': 'unbounded'
  /** What does a null or absent start mean? */
  readonly 'date.open-start': 'open' | 'error'
  /** What does a start after the end do? */
  readonly 'date.inverted': 'empty' | 'error'
  /** Which timestamps are accepted? */
  readonly 'date.format': 'strict-z' | 'rfc3339' | 'plus-epoch-ms'
  /** What does a timestamp do without a zone, at 24:00, on 30 February, with second 60, or a blank one? */
  readonly 'date.invalid': 'error'
  /** Which fields does a date filter take? */
  readonly 'date.field': 'created'
  /** What must a create request contain? */
  readonly 'create.required': readonly (
    | '/title'
    | '/pageId'
    | '/viewId'
    | '/schedule'
    | '/schedule/frequency'
    | '/schedule/daysToRun'
    | '/schedule/hourOfDay'
    | '/schedule/minOfHour'
    | '/schedule/timezone'
    | '/schedule/enabled'
    | '/schedule/additionalRecipients'
    | '/attachmentInclude'
  )[]
  /** What are the defaults of optional fields of a create request? */
  readonly 'create.defaults': {
    readonly enabled: boolean
    readonly attachmentInclude: boolean
    readonly additionalRecipients: readonly { readonly type: 'EMAIL' | 'USER' | 'GROUP'; readonly value: string }[]
  }
  /** What does null do in a body? */
  readonly 'body.null': 'absent' | 'clear' | 'error'
  /** What does a wrong JSON type do, such as a numeric string or 8.5 for an integer? */
  readonly 'body.types': 'strict' | 'coerce'
  /** How large may an integer be? */
  readonly 'body.int64': 'int64' | 'safe53'
  /** What does a negative or zero pageId or viewId do? */
  readonly 'body.ids': 'error' | 'accept'
  /** What do properties that the interface does not show do? */
  readonly 'body.unknown': 'ignore' | 'error'
  /** Which status does a create return? */
  readonly 'create.status': '200' | '201'
  /** Which fields does a create return? */
  readonly 'create.response': 'documented' | 'full'
  /** Which fields does an update return? */
  readonly 'update.response': 'documented' | 'full'
  /** Are additionalRecipients echoed? */
  readonly 'response.recipients': 'no' | 'yes'
  /** How do responses show fields without a value? */
  readonly 'response.nulls': 'omit' | 'null'
  /** What is reportViewId? */
  readonly 'response.report-view-id': 'view-id' | 'own counter'
  /** What is `type` in a full response? */
  readonly 'response.full-type': string
  /** What does an update do to top-level fields that it omits? */
  readonly 'update.omitted': 'keep' | 'clear' | 'error'
  /** What does an update do to fields that it omits inside `schedule`? */
  readonly 'update.schedule': 'replace' | 'deep-merge'
  /** What does an update with `{}` do? */
  readonly 'update.empty': 'keep' | 'error'
  /** May an update change pageId and viewId? */
  readonly 'update.links': 'allow' | 'ignore' | 'error'
  /** Must the pageId and viewId of a create or an update exist? */
  readonly 'links.exist': 'any' | 'listed' | 'listed-403'
  /** May another user than its owner update a schedule? */
  readonly 'schedule.owner': 'any' | 'owner-only-403' | 'owner-only-404'
  /** Which titles are accepted, and how are they stored? */
  readonly 'title.text': { readonly spaces: 'as-sent' | 'trim'; readonly characters: number }
  /** What does an `id` in the body of an update do? */
  readonly 'update.body-id': 'ignore' | 'error'
  /** What does an update of an unknown scheduleId do? */
  readonly 'update.unknown-id': '404' | '403' | '400' | 'create'
  /** What does a scheduleId that is not a positive integer do? */
  readonly 'update.id-form': '400-or-404'
  /** Which ids do new schedules get? */
  readonly 'create.ids': number
  /** What does the same create do twice? */
  readonly 'create.duplicate': 'allow' | 'conflict-on-view' | 'conflict-on-title'
  /** What do two updates at once do? */
  readonly 'update.concurrent': 'last-write-wins' | 'etag'
  /** What does a refused request change? */
  readonly 'write.refused': 'no-effect'
  /** Which frequencies are accepted? */
  readonly 'frequency.values': readonly ('WEEKLY' | 'MONTHLY' | 'DAILY')[]
  /** Which daysToRun are accepted for WEEKLY? */
  readonly 'days.weekly': 'single' | 'list'
  /** Which daysToRun are accepted for MONTHLY? */
  readonly 'days.monthly': '31' | '28' | 'list'
  /** What does a daysToRun that does not match the frequency, or is a number, do? */
  readonly 'days.mismatch': 'error'
  /** When does a schedule for day 29, 30 or 31 run in a month without that day? */
  readonly 'days.short-month': 'skip' | 'clamp-to-last'
  /** Which hours and minutes are accepted? */
  readonly 'time.range': 'error'
  /** Which instant is nextRunDate? */
  readonly 'next-run.when': 'strict' | 'inclusive'
  /** When does a schedule run if a clock change skips its local time? */
  readonly 'next-run.gap': 'forward' | 'skip'
  /** When does a schedule run if its local time happens twice? */
  readonly 'next-run.overlap': 'earlier' | 'later'
  /** What is nextRunDate of a disabled schedule? */
  readonly 'next-run.disabled': 'absent' | 'null' | 'computed'
  /** What is nextRunDate after that time has passed? */
  readonly 'next-run.passes': 'on-read' | 'frozen-at-write'
  /** When does nextRunDate appear after a create or an update? */
  readonly 'next-run.lag': 'at-once' | `absent for ${number}`
  /** What do startDate and expirationDate in a schedule do? */
  readonly 'schedule.dates': 'ignore' | 'honour'
  /** Which time zone is used if none is sent? */
  readonly 'zone.omitted': string
  /** What does an unknown time zone do? */
  readonly 'zone.invalid': 'error' | 'utc'
  /** What do older names of a zone, such as `US/Eastern` and `Asia/Calcutta`, do? */
  readonly 'zone.alias': 'accept' | 'canonicalise' | 'reject'
  /** Which names without region and city are accepted? */
  readonly 'zone.short': 'strict' | 'any'
  /** Which types of recipient are accepted? */
  readonly 'recipient.types': readonly ('EMAIL' | 'USER' | 'GROUP')[]
  /** What is a valid e-mail address? */
  readonly 'recipient.email': 'light' | 'none'
  /** What is the value of a USER or a GROUP? */
  readonly 'recipient.id': 'strict' | 'lenient'
  /** Must the USER and GROUP ids of recipients exist? */
  readonly 'recipients.known': 'any' | 'listed'
  /** What does the same recipient twice do? */
  readonly 'recipient.duplicates': 'keep' | 'dedupe' | 'error'
  /** How many recipients may there be? */
  readonly 'recipient.max': number
  /** In which order does a list show the items of a collection? */
  readonly 'collections.order': 'as-documented' | 'oldest-first' | 'newest-first'
  /** How many items has a page if neither the request nor the contract says it? */
  readonly 'collections.page-size': number
  /** What does a page beyond the end of a list show? */
  readonly 'collections.page-beyond': 'empty' | 'error' | 'last'
  /** What does a page token do that the list did not give, or gave for other filters or another order? */
  readonly 'collections.token': 'error' | 'first-page'
  /** Where does a list tell the token of the next page, if neither its schema nor its documented headers have a place for it? */
  readonly 'collections.next-page': 'link' | 'omit'
  /** What does a documented parameter of a list do that Standin does not understand? */
  readonly 'collections.unknown-filter': 'ignore' | 'error'
  /** What does a path below an item do that does not exist? */
  readonly 'collections.unknown-parent': 'error' | 'accept'
  /** What does a PUT to the id of no item do? */
  readonly 'collections.put-unknown': 'as-documented' | 'create' | 'error'
  /** Must a PATCH have the members that its schema requires? */
  readonly 'collections.patch-required': 'ignore' | 'error'
  /** What does it do to delete an item again? */
  readonly 'collections.delete-again': 'error' | 'succeed'
  /** With which status is an item refused that was deleted? */
  readonly 'collections.deleted': '404' | '410'
  /** What do members do that are readOnly and that a request has nevertheless? */
  readonly 'collections.read-only': 'ignore' | 'error'
  /** What does a PUT or PATCH do whose body has another id than its path? */
  readonly 'collections.other-id': 'keep' | 'refuse'
  /** Is an empty text taken as the name of an item? */
  readonly 'collections.empty-name': 'refuse' | 'accept'
  /** What does a value do that a body may have and that no response may show, such as a status that the response's enumeration lacks? */
  readonly 'collections.not-shown': 'nearest' | 'refuse'
  /** What does a new item show of the optional members that its request left out? */
  readonly 'collections.unsent': 'as-documented' | 'all' | 'nullable' | 'omit'
  /** What does null do in a PATCH, for a member that may be null and need not be there? */
  readonly 'collections.merge-null': 'remove' | 'store'
  /** What does a member such as `customer_id` do that names no item of the collection of that name? */
  readonly 'collections.reference': 'error' | 'accept'
  /** Whose is a new item, in members such as `owner`, `author` and `created_by`? */
  readonly 'collections.caller': 'first' | 'generated'
  /** What do members show that count or contain other items, such as `task_count`, `tasks` and `owner`? */
  readonly 'collections.derived': 'state' | 'stored'
  /** What does a creation or a change do whose value of a unique member another item has? */
  readonly 'collections.unique': 'as-documented' | 'accept'
  /** What does a POST below an item do of which the contract does not tell what it does, such as `/orders/3/print`? */
  readonly 'collections.unknown-action': 'respond' | 'refuse'
  /** What does a request do that the status of an item rules out, such as cancelling an order that is cancelled already? */
  readonly 'collections.repeated-action': 'as-documented' | 'refuse' | 'accept'
  /** What does it do to what lies below an item when the item is deleted? */
  readonly 'collections.cascade': 'as-documented' | 'delete' | 'refuse' | 'keep'
  /** How often, and in which order, is a webhook delivered? */
  readonly 'webhooks.delivery': 'once' | 'twice' | 'late' | 'swapped' | 'never' | 'wrong-signature'
  /** How is a webhook signed? */
  readonly 'webhooks.signature': 'standard-webhooks' | 'hub' | 'none'
  /** Is a webhook sent again that the receiver did not accept? */
  readonly 'webhooks.retry': 'backoff' | 'never'
  /** What does an operation send whose response is a stream, and that is about a collection? */
  readonly 'streams.changes': 'live' | 'generated'
  /** When does a read of generated events, which are about no collection, get them? */
  readonly 'streams.pace': 'at-once' | `resumed:${number}` | `paced:${number}`
  /** Does a read wait that says how long, such as `?timeout=30`? */
  readonly 'streams.wait': 'wait' | 'respond'
  /** How is a request with a missing, blank, unknown or repeated key refused? */
  readonly 'auth.refused': '401' | '403'
  /** Which keys are known? */
  readonly 'auth.keys': 'any' | 'listed' | 'off'
  /** What does a known key without the right do? */
  readonly 'auth.forbidden': '403'
  /** Which check comes first when several fail? */
  readonly 'http.order': 'fixed'
  /** What does a missing or different Content-Type do? */
  readonly 'http.media-type': 'strict' | 'lenient'
  /** What do parameters of the media type other than `charset=utf-8`, and the spelling `charset=utf8`, do? */
  readonly 'http.content-type-parameters': 'ignore' | 'strict'
  /** What does an Accept that excludes JSON do? */
  readonly 'http.accept': 'ignore' | '406'
  /** Is a response compressed when the client accepts gzip? */
  readonly 'http.compression': 'off' | 'gzip'
  /** What does a body that is not one JSON object in UTF-8 do? */
  readonly 'http.json': 'strict'
  /** What does a repeated key in an object do? */
  readonly 'http.duplicate-key': 'last' | 'error'
  /** What does a search with an empty body do? */
  readonly 'http.empty-body': 'as-empty' | 'error'
  /** What does `filters` (or another of the arrays) do as null? */
  readonly 'http.null-array': 'as-absent' | 'error'
  /** How large may a body be? */
  readonly 'http.size': number
  /** How deeply may a body nest? */
  readonly 'http.depth': number
  /** What do other methods do on a known path? */
  readonly 'http.method': '404' | '405'
  /** What does HEAD do on a path that has GET? */
  readonly 'http.head': 'as-get' | '405'
  /** What does a POST of a form do, where the contract has only GET for a method such as `/channels.info`? */
  readonly 'http.posted-call': 'as-get' | '405'
  /** What does OPTIONS do? */
  readonly 'http.options': 'preflight-or-204'
  /** What does a path with a trailing slash, a doubled slash or different case do? */
  readonly 'http.path': 'strict' | 'tolerant'
  /** What does a GET of a path without the slash that the contract ends it with do, such as `/version` of `/version/`? */
  readonly 'http.missing-slash': 'same' | '404'
  /** May a path parameter that is called a path, such as `{path}` or `{file_path}`, have slashes? */
  readonly 'http.path-parameter': 'whole' | 'segment'
  /** How is percent-encoding in a path read? */
  readonly 'http.encoding': 'decode' | 'literal'
  /** What does a repeated query parameter do? */
  readonly 'http.repeated': 'error' | 'first' | 'last'
  /** What does an unknown query parameter do? */
  readonly 'http.unknown-query': 'ignore' | 'error'
  /** Which spellings of a boolean are accepted in a query? */
  readonly 'http.boolean': 'strict' | 'any-case'
  /** What is in the body of an error? */
  readonly 'error.body': 'problem' | 'service' | { readonly template: unknown }
  /** With which status is a readable but invalid request refused? */
  readonly 'error.invalid-status': '400' | '422'
  /** With which status is a request refused whose status the operation does not document? */
  readonly 'error.undocumented': 'usual' | 'documented'
  /** Which errors does a response list if there are several? */
  readonly 'error.several': 'all' | 'first'
  /** What does an invalid percent-escape in the query do? */
  readonly 'error.bad-escape': 'error' | 'literal'
  /** What does an unknown path do? */
  readonly 'error.unknown-path': '404'
  /** Is there a rate limit? */
  readonly 'rate.limit': 'off' | `${number} per ${number}`
  /** Which browsers may call? */
  readonly cors: 'local' | 'list' | 'any' | 'off'
  /** Which headers does every response have? */
  readonly 'response.headers': 'always'
}

/** The id of a behaviour. */
export type BehaviourId = keyof BehaviourSettings
