#!/usr/bin/env bash
# What `npm run test:browser` needs besides npm packages: a real Chromium, on Debian or Ubuntu.
set -euo pipefail
command -v chromium >/dev/null && exit 0
apt-get update -qq
DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends chromium >/dev/null
