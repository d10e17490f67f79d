#!/usr/bin/env bash
# What measuring replicas needs besides scripts/install-redis.sh: wrk and HAProxy, on Debian or Ubuntu. Nothing is started.
set -euo pipefail
command -v wrk >/dev/null && command -v haproxy >/dev/null && exit 0
apt-get update -qq
# The package would start a server of its own.
printf '#!/bin/sh\nexit 101\n' >/usr/sbin/policy-rc.d && chmod +x /usr/sbin/policy-rc.d
trap 'rm -f /usr/sbin/policy-rc.d' EXIT
DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends wrk haproxy >/dev/null
