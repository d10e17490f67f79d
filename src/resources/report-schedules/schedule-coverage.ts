import { isObject } from '../../formats/json.ts'
import type { OperationCoverage } from '../resource.ts'

/** When reports can run, and who can receive them, as the behaviours have it. */
export const scheduleCoverage: OperationCoverage = {
  values: (settings) => ({
    frequencies: settings['frequency.values'],
    'recipient types': settings['recipient.types'],
  }),
  used({ body }, note) {
    const schedule = isObject(body) && isObject(body.schedule) ? body.schedule : {}
    if (typeof schedule.frequency === 'string') note('frequencies', schedule.frequency)
    const { additionalRecipients } = schedule
    for (const recipient of Array.isArray(additionalRecipients) ? (additionalRecipients as unknown[]) : [])
      if (isObject(recipient)) note('recipient types', String(recipient.type))
  },
}
