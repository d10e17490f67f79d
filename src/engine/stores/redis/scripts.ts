import { CLEAR_JOURNAL, MOMENT, RUN } from './exchange-scripts.ts'

/**
 * What the server does in one step, in Lua. The keys of a stream are a hash with its last snapshot (`next`, `records`), the counter of request
 * ids (`requests`) and the name of the sandbox, and a Redis stream with an entry `0-<next>` for each commit since: `next` is the number of the
 * event after it.
 */

/** Commits after which a snapshot is due, at least. */
const LONG = 1000
/** Characters of the latest snapshot for each commit after which the next one is due: writing a large state at each thousandth commit would take longer than all of them. */
const SHARE = 500

/** The end of a stream: `XADD` with an explicit id would accept gaps, and lengths change when a stream is trimmed. */
const END = `
local function endOf(image, log)
  local kept = tonumber(redis.call('HGET', image, 'next'))
  local last = redis.call('XREVRANGE', log, '+', '-', 'COUNT', 1)[1]
  return kept, last and math.max(kept, tonumber(string.match(last[1], '%-(%d+)$'))) or kept, last
end`

/** KEYS: meta, sandboxes. ARGV: version, fingerprint. Returns the members of the meta hash; none for keys of another program. */
export const OPEN = `
if redis.call('EXISTS', KEYS[1]) == 0 then
  if redis.call('EXISTS', KEYS[2]) == 1 then return {} end
  redis.call('HSET', KEYS[1], 'format', 'standin-store', 'version', ARGV[1], 'fingerprint', ARGV[2], 'made', 0)
end
if redis.call('TYPE', KEYS[1]).ok ~= 'hash' then return {} end
return redis.call('HGETALL', KEYS[1])`

/** KEYS: meta, sandboxes, used. ARGV: prefix, name, ttl, commit, most, next, records, when it is used. Returns the number of the stream; nothing where it is refused. */
export const CREATE = `${RUN}
local known = redis.call('HGET', KEYS[2], ARGV[2])
if known then
  known = cjson.decode(known)
  return known.by == ARGV[4] and known.stream or false
end
if redis.call('HLEN', KEYS[2]) >= tonumber(ARGV[5]) then return false end
local stream = tostring(redis.call('HINCRBY', KEYS[1], 'made', 1))
redis.call('HSET', KEYS[2], ARGV[2], cjson.encode({ stream = stream, ttl = ARGV[3], by = ARGV[4] }))
redis.call('HSET', ARGV[1] .. stream .. ':image', 'name', ARGV[2], 'next', ARGV[6], 'records', ARGV[7], 'requests', 0, 'run', run())
redis.call('HSET', KEYS[3], stream, ARGV[8])
return stream`

/**
 * KEYS: image, log, exchanges that wait, journal, writers. ARGV: expected, next, records, commit, whether the journal begins
 * again, writers that are gone. Returns 2 where a snapshot is due, 1 where none is; 0 where the commit is not the next one, and the
 * same again where a lost answer made the caller ask again.
 */
export const APPEND = `${END}${MOMENT}${RUN}${CLEAR_JOURNAL}
local function stored()
  return redis.call('XLEN', KEYS[2]) > math.max(${LONG}, redis.call('HSTRLEN', KEYS[1], 'records') / ${SHARE}) and 2 or 1
end
if redis.call('EXISTS', KEYS[1]) == 0 then return 0 end
local _, last = endOf(KEYS[1], KEYS[2])
if last == tonumber(ARGV[1]) then
  redis.call('XADD', KEYS[2], '0-' .. ARGV[2], 'commit', ARGV[4], 'records', ARGV[3])
  if ARGV[5] == '1' then clearJournal(KEYS[1], KEYS[3], KEYS[4], KEYS[5], 6) end
  return stored()
end
local own = redis.call('XRANGE', KEYS[2], '0-' .. ARGV[2], '0-' .. ARGV[2])[1]
return own and own[2][2] == ARGV[4] and stored() or 0`

/**
 * KEYS: image, log. ARGV: from, the commit that the caller knows to end there, if any. Returns whether that commit still does, the number of the first
 * event, the records of the snapshot where it does not, the entries, and the moment. A server that lost its latest commits may have others of the same numbers.
 */
export const READ = `${END}${MOMENT}
local kept, last, top = endOf(KEYS[1], KEYS[2])
if not kept then return false end
local from = tonumber(ARGV[1])
-- Nothing is new, nearly always.
if from == last and top and top[1] == '0-' .. ARGV[1] and top[2][2] == ARGV[2] then return { 1, from, '', {}, string.format('%.0f', moment()) } end
local isKnown = from >= kept and from <= last
if isKnown and ARGV[2] ~= '' then
  local entry = redis.call('XRANGE', KEYS[2], '0-' .. ARGV[1], '0-' .. ARGV[1])[1]
  isKnown = entry and entry[2][2] == ARGV[2]
end
if isKnown then return { 1, from, '', redis.call('XRANGE', KEYS[2], '(0-' .. ARGV[1], '+'), string.format('%.0f', moment()) } end
return { 0, kept, redis.call('HGET', KEYS[1], 'records'), redis.call('XRANGE', KEYS[2], '(0-' .. kept, '+'), string.format('%.0f', moment()) }`

/** KEYS: image, log. ARGV: next, records. */
export const SNAPSHOT = `${END}
local kept, last = endOf(KEYS[1], KEYS[2])
local next = tonumber(ARGV[1])
if not kept or next <= kept or next > last then return 0 end
redis.call('HSET', KEYS[1], 'next', ARGV[1], 'records', ARGV[2])
return redis.call('XTRIM', KEYS[2], 'MINID', '0-' .. string.format('%d', next + 1))`

/** KEYS: image. ARGV: count. Returns the first number. */
export const RESERVE = `
if redis.call('EXISTS', KEYS[1]) == 0 then return 0 end
return redis.call('HINCRBY', KEYS[1], 'requests', ARGV[1]) - ARGV[1]`

/** KEYS: image, used. ARGV: stream, when it is used, the moment after which it must have been used. Returns whether it was. */
export const USE = `
if redis.call('EXISTS', KEYS[1]) == 0 then return 0 end
local used = tonumber(redis.call('HGET', KEYS[2], ARGV[1]) or 0)
if used <= tonumber(ARGV[3]) then return 0 end
if tonumber(ARGV[2]) > used then redis.call('HSET', KEYS[2], ARGV[1], ARGV[2]) end
return 1`

/** KEYS: sandboxes, used, image, log, and those of its exchanges. ARGV: stream, the moment after which it must not have been used, if any. */
export const REMOVE = `
if ARGV[2] ~= '' and tonumber(redis.call('HGET', KEYS[2], ARGV[1]) or 0) > tonumber(ARGV[2]) then return 0 end
local name = redis.call('HGET', KEYS[3], 'name')
if name then redis.call('HDEL', KEYS[1], name) end
redis.call('HDEL', KEYS[2], ARGV[1])
return redis.call('UNLINK', unpack(KEYS, 3))`
