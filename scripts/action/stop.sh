#!/usr/bin/env bash
# Stops what start.sh started, and returns when its artifacts are written: DIRECTORY=/tmp/standin scripts/action/stop.sh
set -euo pipefail

[ -e "$DIRECTORY/pid" ] || exit 0
server=$(cat "$DIRECTORY/pid")
rm "$DIRECTORY/pid"
kill -TERM "$server" 2>/dev/null || exit 0
# It finishes open responses for two seconds, and writes for six.
end=$((SECONDS + 15))
while kill -0 "$server" 2>/dev/null; do
  [ "$SECONDS" -lt "$end" ] || { kill -KILL "$server" 2>/dev/null || true; }
  sleep 0.1
done
cp "$DIRECTORY/log" "$DIRECTORY/artifacts/standin.log" 2>/dev/null || true
