import type { Response } from 'supertest'
import { expect, test } from 'vitest'
import { describeBehaviour } from '../../support/describe-behaviour.ts'
import { complaintsOf, createTester, rowsOf, type Tester, weekly } from '../../support/tester.ts'

/** The first id that a test is given: six schedules come with the package. */
const FIRST = 7

/** Answers that echo the recipients and count them. */
const seen = {
  behaviours: { 'create.response': 'full', 'update.response': 'full', 'response.recipients': 'yes' },
}

const LIST = '/schedule/additionalRecipients'
const email = (value: unknown) => ({ type: 'EMAIL', value })
const user = (value: unknown) => ({ type: 'USER', value })
const group = (value: unknown) => ({ type: 'GROUP', value })

function send({ create }: Pick<Tester, 'create'>, ...recipients: readonly unknown[]): Promise<Response> {
  return create(weekly({}, { additionalRecipients: recipients }))
}

function recipientsOf({ body }: Response): unknown {
  return (body as { schedule: Record<string, unknown> }).schedule.additionalRecipients
}

/** Both operations refuse a list for one reason, and nothing of it is stored. */
async function refuses({ create, update }: Tester, recipients: readonly unknown[], complaint: string): Promise<void> {
  const body = weekly({ title: 'Refused' }, { additionalRecipients: recipients })
  for (const refused of [await create(body), await update(1, body)]) {
    expect(refused.status, refused.text).toBe(400)
    expect(complaintsOf(refused)).toEqual([complaint])
    const row = complaint.split(' ')[1] ?? ''
    if (row !== 'type') expect(rowsOf(refused)).toContain(row)
  }
  expect((await update(1, {})).body).not.toHaveProperty('title', 'Refused')
}

const UNKNOWN_TYPES = ['FAX', 'email', 'Email', ' EMAIL', '', '__proto__', 'constructor', 'EMAIL,USER']

describeBehaviour(
  'recipient.types',
  {
    default: async (tester) => {
      const recipients = [email('jane@example.com'), user('27'), group('4102')]
      const created = await send(tester, ...recipients)
      expect(recipientsOf(created)).toEqual(recipients)
      expect(rowsOf(created)).toContain('recipient.types')
      expect(rowsOf(await send(tester, email('jane@example.com')))).not.toContain('recipient.types')
      expect(rowsOf(await send(tester))).not.toContain('recipient.types')
      for (const type of UNKNOWN_TYPES) await refuses(tester, [{ type, value: '1' }], `${LIST}/0/type recipient.types`)
      await refuses(tester, [email('jane@example.com'), { value: '1' }], `${LIST}/1/type recipient.types`)
    },
    EMAIL: async (tester) => {
      expect((await send(tester, email('jane@example.com'))).status).toBe(200)
      await refuses(tester, [user('27')], `${LIST}/0/type recipient.types`)
      await refuses(tester, [email('jane@example.com'), group('27')], `${LIST}/1/type recipient.types`)
    },
    'GROUP,USER': async (tester) => {
      expect(recipientsOf(await send(tester, group('1'), user('2')))).toEqual([group('1'), user('2')])
      await refuses(tester, [group('1'), email('jane@example.com')], `${LIST}/1/type recipient.types`)
    },
  },
  seen,
)

/** 254 characters. */
const LONGEST = `${'a'.repeat(64)}@${'b'.repeat(189)}`
const ADDRESSES = [
  'jane@example.com',
  'a@b',
  "o'hara+x@sub.example.co.uk",
  'jané@exämple.com',
  '"@b',
  '名@例え',
  LONGEST,
]
const NO_ADDRESSES = [
  ...['nobody', '', '@', '@example.com', 'jane@', 'jane@@example.com', 'a@b@c', '<jane@example.com@>'],
  ...[
    'jane doe@example.com',
    ' a@b',
    'a@b ',
    'a@b\n',
    'a\t@b',
    'a\u0000@b',
    'a@b\u007f',
    'a@\u0085b',
    'a\u00a0@b',
    'a@\u2003b',
  ],
  `${LONGEST}b`,
]

describeBehaviour(
  'recipient.email',
  {
    light: async (tester) => {
      for (const address of ADDRESSES) {
        const created = await send(tester, email(address))
        expect(recipientsOf(created), address).toEqual([email(address)])
        expect(rowsOf(created)).not.toContain('recipient.email')
      }
      for (const text of NO_ADDRESSES) await refuses(tester, [email(text)], `${LIST}/0/value recipient.email`)
      await refuses(tester, [user('1'), { type: 'EMAIL' }], `${LIST}/1/value recipient.email`)
      await refuses(tester, [{ type: 'EMAIL', value: null }], `${LIST}/0/value recipient.email`)
      await refuses(tester, [email(5)], `${LIST}/0/value type`)
    },
    none: async (tester) => {
      for (const text of NO_ADDRESSES) {
        const created = await send(tester, email(text))
        expect(recipientsOf(created), text).toEqual([email(text)])
        expect(rowsOf(created)).toContain('recipient.email')
      }
      expect(rowsOf(await send(tester, email('jane@example.com')))).not.toContain('recipient.email')
      await refuses(tester, [{ type: 'EMAIL' }], `${LIST}/0/value recipient.email`)
    },
  },
  seen,
)

test('an address of a megabyte is refused as fast as a short one is', async () => {
  const { create } = createTester()
  for (const text of ['@'.repeat(1_000_000), `a@${'b'.repeat(1_000_000)}`, ' '.repeat(1_000_000)]) {
    const refused = await send({ create }, email(text))
    expect(complaintsOf(refused)).toEqual([`${LIST}/0/value recipient.email`])
  }
})

const NO_IDS = ['abc', '', ' 1', '1 ', '1\n', '-1', '+1', '1.5', '1e3', '0x1', '١٢', '１', 'jane@example.com']

describeBehaviour(
  'recipient.id',
  {
    lenient: async (tester) => {
      const digits = await send(tester, user('27'), group('0027'))
      expect(recipientsOf(digits)).toEqual([user('27'), group('0027')])
      expect(rowsOf(digits)).not.toContain('recipient.id')
      const numbers = await send(tester, user(27), group(0))
      expect(recipientsOf(numbers)).toEqual([user('27'), group('0')])
      expect(rowsOf(numbers)).toContain('recipient.id')
      const large = JSON.stringify(weekly({}, { additionalRecipients: [user('27')] })).replace(
        '"27"',
        '9007199254740993',
      )
      expect(recipientsOf(await tester.create(large))).toEqual([user('9007199254740993')])
      for (const value of [...NO_IDS, -1, 1.5, true, undefined]) {
        await refuses(tester, [user(value)], `${LIST}/0/value recipient.id`)
        await refuses(tester, [email('a@b'), group(value)], `${LIST}/1/value recipient.id`)
      }
      for (const value of [[], {}, ['27']]) await refuses(tester, [user(value)], `${LIST}/0/value type`)
    },
    strict: async (tester) => {
      expect(recipientsOf(await send(tester, user('27'), group('4102')))).toEqual([user('27'), group('4102')])
      for (const value of NO_IDS) await refuses(tester, [user(value)], `${LIST}/0/value recipient.id`)
      for (const value of [27, 0, -1, 1.5, true]) await refuses(tester, [group(value)], `${LIST}/0/value type`)
    },
  },
  seen,
)

const TWICE = [email('a@b'), user('1'), email('a@b'), group('1'), user('1'), email('A@b')]

describeBehaviour(
  'recipient.duplicates',
  {
    keep: async (tester) => {
      const created = await send(tester, ...TWICE)
      expect(recipientsOf(created)).toEqual(TWICE)
      expect(created.body).toHaveProperty('recipientCount', 4)
      expect(rowsOf(created)).toContain('recipient.duplicates')
      expect((await tester.update(FIRST, {})).body).toEqual(created.body)
      expect((await send(tester, user(1), user('1'))).body).toHaveProperty('recipientCount', 1)
      expect(rowsOf(await send(tester, user('1'), group('1')))).not.toContain('recipient.duplicates')
    },
    dedupe: async (tester) => {
      const created = await send(tester, ...TWICE)
      expect(recipientsOf(created)).toEqual([email('a@b'), user('1'), group('1'), email('A@b')])
      expect(created.body).toHaveProperty('recipientCount', 4)
      expect(rowsOf(created)).toContain('recipient.duplicates')
      expect(recipientsOf(await send(tester, user(1), user('1')))).toEqual([user('1')])
    },
    error: async (tester) => {
      await refuses(tester, [email('a@b'), user('1'), email('a@b')], `${LIST}/2 recipient.duplicates`)
      await refuses(tester, [user(1), user('1')], `${LIST}/1 recipient.duplicates`)
      expect((await send(tester, user('1'), group('1'), email('a@b'), email('A@b'))).status).toBe(200)
    },
  },
  seen,
)

/** So many different recipients. */
function people(count: number): unknown[] {
  return Array.from({ length: count }, (_, index) => user(String(index)))
}

describeBehaviour(
  'recipient.max',
  {
    default: async (tester) => {
      expect((await send(tester, ...people(1000))).body).toHaveProperty('recipientCount', 1000)
      await refuses(tester, people(1001), `${LIST} recipient.max`)
      await refuses(tester, Array(1001).fill(email('nobody')), `${LIST} recipient.max`)
    },
    '2': async (tester) => {
      expect((await send(tester, ...people(2))).body).toHaveProperty('recipientCount', 2)
      await refuses(tester, people(3), `${LIST} recipient.max`)
      await refuses(tester, [user('1'), user('1'), user('1')], `${LIST} recipient.max`)
    },
    // With a stricter bound the initial state still has what comes with the package.
    '1': async (tester) => {
      await refuses(tester, people(2), `${LIST} recipient.max`)
      expect((await tester.update(1, {})).body).toHaveProperty('recipientCount', 2)
    },
  },
  seen,
)
