#!/usr/bin/env bash
# What `npm run test:browser` needs besides npm packages: a real Chromium, on Debian or Ubuntu, and Firefox where Debian has it.
set -euo pipefail
install() {
  command -v "$1" >/dev/null || DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$1" >/dev/null
}
if ! command -v chromium >/dev/null || ! command -v firefox-esr >/dev/null; then apt-get update -qq; fi
install chromium
# Without it the test in Firefox is skipped.
install firefox-esr || echo 'There is no firefox-esr here: it is not tested.'
