#!/usr/bin/env bash
# What the tests of replicas need besides npm packages: a real Redis server, on Debian or Ubuntu. It is not started.
set -euo pipefail
command -v redis-server >/dev/null && exit 0
apt-get update -qq
# The package would start a server of its own.
printf '#!/bin/sh\nexit 101\n' >/usr/sbin/policy-rc.d && chmod +x /usr/sbin/policy-rc.d
trap 'rm -f /usr/sbin/policy-rc.d' EXIT
DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends redis-server >/dev/null
