/** Counts some work whose amount is known, and prints what was counted: the other half of `work.test.ts`. */
import { startCounting, type Work } from '../../bench/work.ts'

const count = startCounting()
const { compareCodePoints, fold } = await import('../../src/base/formats/code-points.ts')

const [short, long] = ['x'.repeat(100), 'x'.repeat(1_000)]
const compare = (text: string) => () => void compareCodePoints(`${text}a`, `${text}b`)
const list = Array.from({ length: 1_000 }, (_, at) => at)
const numbers = Uint32Array.from(list)
const table = new Map(list.map((number) => [number, number]))
const members = Object.fromEntries(list.map((number) => [`member ${number}`, number]))
const text = 'Text '.repeat(200)

const counted = {
  short: count(compare(short)),
  long: count(compare(long)),
  'long, again': count(compare(long)),
  'folding a text': count(() => fold(text)),
  'slice of an array': count(() => list.slice()),
  'slice of a typed array': count(() => numbers.slice()),
  'set of a typed array': count(() => numbers.set(numbers)),
  'a typed array made': count(() => new Uint8Array(1_000)),
  'a typed array from a list': count(() => Uint32Array.from(list)),
  'a view on a typed array': count(() => numbers.subarray(10)),
  'filling a tenth': count(() => numbers.fill(0, 100, 200)),
  spreading: count(() => [...list]),
  'a map of a map': count(() => new Map(table)),
  'looking for what is not there': count(() => list.indexOf(-1)),
  'finding at the front': count(() => list.indexOf(0)),
  'sorting by itself': count(() => numbers.sort()),
  'text in lower case': count(() => text.toLowerCase()),
  'keys of an object': count(() => Object.keys(members)),
}
for (let time = 0; time < 10_000; time++) compare(short)()
const worn = { 'long, after ten thousand times': count(compare(long)) }
const toJson = ({ where, movedWhere, ...counts }: Work) => ({
  ...counts,
  where: [...where],
  movedWhere: [...movedWhere],
})
const told = Object.entries({ ...counted, ...worn }).map(([name, work]) => [name, toJson(work)])
console.log(JSON.stringify(Object.fromEntries(told)))
