const weekdayNames = ['MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT', 'SUN']

/**
 * The days of a WEEKLY rule as ISO weekdays (1 is Monday, 7 is Sunday), ascending, each once; undefined when `daysToRun` is
 * anything but a weekday or a comma list of weekdays. Whether a list is allowed is for the row `days.weekly` to say.
 *
 * @example decodeWeekdays('WED,MON') // [1, 3]
 */
export function decodeWeekdays(daysToRun: string): readonly number[] | undefined {
  return decodeList(daysToRun, (item) => weekdayNames.indexOf(item) + 1)
}

/**
 * The days of a MONTHLY rule, 1–31, ascending, each once; undefined when `daysToRun` is anything but a day without leading
 * zero or a comma list of such days. Whether a list is allowed is for the row `days.monthly` to say.
 *
 * @example decodeMonthDays('15,1') // [1, 15]
 */
export function decodeMonthDays(daysToRun: string): readonly number[] | undefined {
  return decodeList(daysToRun, (item) => (/^([1-9]|[12]\d|3[01])$/.test(item) ? Number(item) : 0))
}

/** `dayOf` answers 0 for what is no day. */
function decodeList(daysToRun: string, dayOf: (item: string) => number): readonly number[] | undefined {
  if (!daysToRun.includes(',')) {
    const day = dayOf(daysToRun)
    return day === 0 ? undefined : [day]
  }
  const days = [...new Set(daysToRun.split(',').map(dayOf))].sort((a, b) => a - b)
  return days.includes(0) ? undefined : days
}
