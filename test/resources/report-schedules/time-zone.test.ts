import { describe, expect, it } from 'vitest'
import {
  canonicalTimeZone,
  findTimeZone,
  isAlias,
  isTimeZone,
  Temporal,
} from '../../../src/resources/report-schedules/time-zone.ts'
import { aliasesOfTimeZones } from '../../../src/resources/report-schedules/time-zone-links.ts'

const aliases = Object.values(aliasesOfTimeZones).flatMap((group) => group.split(' '))
const listed = [...Intl.supportedValuesOf('timeZone'), 'Etc/GMT+1', 'Etc/GMT+12', 'Etc/GMT-1', 'Etc/GMT-14']
const names = [...new Set([...listed, ...Object.keys(aliasesOfTimeZones), ...aliases])]

/** Temporal's identifier of a zone, or undefined when Temporal refuses it. */
function temporalId(name: string): string | undefined {
  try {
    return Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(name).timeZoneId
  } catch {
    return undefined
  }
}

describe('the strict rule', () => {
  it.each([
    'Europe/Paris',
    'America/Argentina/Buenos_Aires',
    'America/Port-au-Prince',
    'Etc/GMT+5',
    'Etc/UTC',
    'UTC',
    'GMT',
  ])('takes %s', (name) => expect(isTimeZone(name, 'strict')).toBe(true))

  it.each([
    'US/Eastern',
    'Asia/Calcutta',
    'Asia/Kolkata',
    'Europe/Kiev',
    'Europe/Kyiv',
    'Pacific/Kanton',
    'Brazil/DeNoronha',
  ])('takes %s, whichever of its names is in fashion', (name) => expect(isTimeZone(name, 'strict')).toBe(true))

  it.each(['EST', 'HST', 'EST5EDT', 'MST7MDT', 'CET', 'Japan', 'Cuba', 'GB-Eire', 'Zulu', 'UCT', 'GMT0', 'PST', 'IST'])(
    'refuses the single word %s, which has no region and no city',
    (name) => expect(isTimeZone(name, 'strict')).toBe(false),
  )

  it.each([
    'utc',
    'Utc',
    'gmt',
    'europe/paris',
    'EUROPE/PARIS',
    'Europe/paris',
    'us/Eastern',
    'etc/utc',
    'America/port-au-prince',
  ])('refuses %s, which is spelled otherwise', (name) => expect(isTimeZone(name, 'strict')).toBe(false))

  it.each([
    '+02:00',
    '-0500',
    '+02',
    'Z',
    'UTC+1',
    'GMT+1',
    'Etc/GMT-15',
    'Etc/GMT+13',
    'Etc/Unknown',
    'SystemV/EST5',
    'US/Pacific-New',
  ])('refuses %s', (name) => expect(isTimeZone(name, 'strict')).toBe(false))
})

describe.each(['strict', 'any'] as const)('the rule %s', (rule) => {
  it.each([
    '',
    ' ',
    '/',
    'Mars/Olympus_Mons',
    'Europe/',
    ' UTC',
    'UTC ',
    'Europe/Paris\n',
    'Asia/Tokyo\0',
    'Europe/Pariſ',
  ])('refuses %j, which is no zone', (name) => expect(isTimeZone(name, rule)).toBe(false))

  it.each(['constructor', '__proto__', '\u212Asia/Kolkata', 'Asia/\u212Aolkata', 'x'.repeat(1_000_000)])(
    'is not taken in: %.20s',
    (name) => expect(isTimeZone(name, rule)).toBe(false),
  )

  it('refuses a date and time, though Temporal would take the zone out of it', () => {
    expect(isTimeZone('2026-01-01T00:00Z[Asia/Tokyo]', rule)).toBe(false)
    expect(isTimeZone('2026-01-01T00:00+02:00', rule)).toBe(false)
  })
})

describe('the rule any', () => {
  it.each([
    'EST',
    'EST5EDT',
    'Japan',
    'CET',
    'utc',
    'us/eastern',
    'EUROPE/PARIS',
    '+02',
    '+0200',
    '+02:00',
    '-00:00',
    '-23:59',
  ])('takes %s as well', (name) => expect(isTimeZone(name, 'any')).toBe(true))

  it.each(['+24:00', '+02:60', '+2', '+02:0', '+02:00:00', '02:00', 'PST', '\u221202:00'])(
    'refuses %s, like Temporal',
    (name) => {
      expect(isTimeZone(name, 'any')).toBe(false)
      expect(temporalId(name)).toBeUndefined()
    },
  )

  it('spells every zone in every letter case as Temporal does', () => {
    for (const name of names) {
      for (const spelling of [name, name.toLowerCase(), name.toUpperCase()]) {
        expect(findTimeZone(spelling)).toBe(name)
        expect(temporalId(spelling)).toBe(name)
      }
    }
  })

  it.each(['+02', '+0200', '-05:30', '+00', '-00', '-0000', '-0030'])(
    'spells the offset %s as Temporal does',
    (offset) => {
      expect(findTimeZone(offset)).toBe(temporalId(offset))
    },
  )
})

describe('aliases', () => {
  it.each([
    ['US/Eastern', 'America/New_York'],
    ['Asia/Calcutta', 'Asia/Kolkata'],
    ['Europe/Kiev', 'Europe/Kyiv'],
    ['America/Buenos_Aires', 'America/Argentina/Buenos_Aires'],
    ['Etc/UTC', 'UTC'],
    ['GMT', 'UTC'],
    ['EST', 'America/Panama'],
  ])('%s stands for %s', (alias, primary) => {
    expect(canonicalTimeZone(alias)).toBe(primary)
    expect(isAlias(alias)).toBe(true)
    expect(isAlias(primary)).toBe(false)
  })

  it.each(['Europe/Paris', 'Europe/Oslo', 'Atlantic/Reykjavik', 'Arctic/Longyearbyen', 'Etc/GMT+5', 'UTC', '+02:00'])(
    '%s stands for itself',
    (name) => {
      expect(canonicalTimeZone(name)).toBe(name)
      expect(isAlias(name)).toBe(false)
    },
  )

  it('an odd spelling is put right and is no alias by that alone', () => {
    expect(canonicalTimeZone('utc')).toBe('UTC')
    expect(canonicalTimeZone('us/eastern')).toBe('America/New_York')
    expect(canonicalTimeZone('+0200')).toBe('+02:00')
    expect(['utc', 'europe/paris', '+0200'].filter(isAlias)).toEqual([])
  })

  it('what is no zone comes back as it is', () => {
    expect(canonicalTimeZone('Mars/Olympus_Mons')).toBe('Mars/Olympus_Mons')
    expect(isAlias('Mars/Olympus_Mons')).toBe(false)
  })

  it('no alias is listed twice, and none stands for another alias', () => {
    expect(aliases.length).toBe(new Set(aliases).size)
    expect(aliases.filter((alias) => alias in aliasesOfTimeZones)).toEqual([])
  })

  it('an alias and its zone are one zone to the runtime, and two zones are never one', () => {
    const runtimeId = (name: string) => new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone
    const zoneOf = new Map<string, string>()
    for (const name of names) {
      const zone = canonicalTimeZone(name)
      const id = runtimeId(name)
      expect([name, zoneOf.get(id) ?? zone]).toEqual([name, zone])
      zoneOf.set(id, zone)
    }
    expect(new Set(zoneOf.values()).size).toBe(zoneOf.size)
  })
})
