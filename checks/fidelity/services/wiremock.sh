#!/usr/bin/env bash
# WireMock's admin API: stub mappings, requests, scenarios, near misses. Java with Jetty, Apache-2.0.
. "$(dirname "$0")/common.sh"
VERSION=3.13.2

version() { echo $VERSION; }
install() { maven_copy org.wiremock:wiremock-standalone:$VERSION; }
start() { exec java -Xmx256m -jar "$INSTALLED/wiremock-standalone-$VERSION.jar" --bind-address 127.0.0.1 --port "$1" --root-dir .; }
document() { curl -fsS "http://127.0.0.1:$1/__admin/docs/swagger"; }
main "$@"
