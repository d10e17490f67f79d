const SETTINGS = [
  'page.last=null',
  'page.short=every-2',
  'dir.fields=null-filled',
  'sort.default=created',
  'set.unknown=403',
  'dir.missing=404',
  'limit.zero=empty',
  'limit.negative=default',
  'error.several=first',
]

/** Twenty pairs of settings. */
export const PAIRS = SETTINGS.flatMap((one, at) => SETTINGS.slice(at + 1).map((other) => [one, other] as const)).slice(
  0,
  20,
)
