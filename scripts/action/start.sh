#!/usr/bin/env bash
# Installs Standin, starts it and returns when it is ready. For action.yml, and for every other place with Node, npm and bash:
#
#   ARGS='--seed 7' PORT=4010 TIMEOUT=60 DIRECTORY=/tmp/standin scripts/action/start.sh
#
# PACKAGE is what npm installs, by default the release of this checkout.
# DIRECTORY gets the package, the log (`log`), the process id (`pid`) and, at the stop, `artifacts`.
set -euo pipefail

mkdir -p "$DIRECTORY"
checkout=$(dirname "${BASH_SOURCE[0]}")/../..
packages=("${PACKAGE:-standin@$(sed -nE 's/^  "version": "(.*)",$/\1/p' "$checkout/package.json")}")
node=node
# Standin needs Node 22.18. An older one of the runner stays for everything else.
if ! node -e 'const [major, minor] = process.versions.node.split(".").map(Number); process.exit(major > 22 || (major === 22 && minor >= 18) ? 0 : 1)' 2>/dev/null; then
  packages+=(node@26)
  node=$DIRECTORY/node_modules/.bin/node
  # npm asks before it lets the package put its executable in place.
  echo '{ "private": true, "allowScripts": { "node": true } }' >"$DIRECTORY/package.json"
fi
npm install --prefix "$DIRECTORY" --no-audit --no-fund --loglevel=error "${packages[@]}"
cli=$DIRECTORY/node_modules/standin/dist/cli.js

# ARGS is split at spaces, outside quotes. Nothing of it is run or expanded, unlike in a shell: what a job puts there may come from a pull request.
args=()
if [ -n "$ARGS" ]; then
  words=$(xargs printf '%s\n' <<<"$ARGS")
  while IFS= read -r word; do args+=("$word"); done <<<"$words"
fi
nohup "$node" "$cli" serve --port "$PORT" --artifacts "$DIRECTORY/artifacts" ${args[@]+"${args[@]}"} >"$DIRECTORY/log" 2>&1 </dev/null &
server=$!
echo "$server" >"$DIRECTORY/pid"

give_up() {
  cat "$DIRECTORY/log" >&2
  echo "standin: $1" >&2
  kill "$server" 2>/dev/null || true
  exit 1
}
end=$((SECONDS + TIMEOUT))
until "$node" "$cli" health --port "$PORT" >/dev/null 2>&1; do
  kill -0 "$server" 2>/dev/null || give_up 'ended before it was ready.'
  [ "$SECONDS" -lt "$end" ] || give_up "was not ready within $TIMEOUT seconds."
  sleep 0.2
done
echo "standin: ready on http://127.0.0.1:$PORT"
