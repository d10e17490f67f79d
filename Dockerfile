# docker build -t standin . && docker run -p 4010:4010 standin
#
# A release pins it by its digest: .github/workflows/release.yml.
FROM node:26-slim AS base

FROM base AS build
WORKDIR /app
COPY package.json package-lock.json ./
# Install scripts bring nothing that this build needs; the image has its own Node.
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY scripts scripts
COPY spec spec
COPY fixtures fixtures
COPY src src
COPY tsconfig.json ./
COPY console console
RUN node scripts/build.ts

# What Node needs of Debian: these packages, whose records tell scanners what they are. No shell, no package manager, no npm.
FROM base AS system
RUN mkdir -p /system/etc /system/usr/lib /system/usr/lib64 /system/var/lib/dpkg/status.d /empty && mkdir -m 1777 /system/tmp && \
    for link in /lib /lib64; do if [ -L "$link" ]; then cp -a "$link" /system; fi; done && \
    for package in base-files libc6 libgcc-s1 libstdc++6 libatomic1 $(dpkg-query --show --showformat '${Package}\n' 'gcc-*-base'); do \
      dpkg-query --status "$package" >"/system/var/lib/dpkg/status.d/$package" && \
      dpkg-query --listfiles "$package" | grep -v /gconv/ | while read -r file; do \
        if [ -e "/system$file" ] || [ ! -e "$file" ] || { [ -d "$file" ] && [ ! -L "$file" ]; }; then continue; fi; \
        folder="/system$(realpath "$(dirname "$file")")" && mkdir -p "$folder" && cp -a "$file" "$folder" || exit 1; \
      done || exit 1; \
    done && \
    printf 'hosts: files dns\n' >/system/etc/nsswitch.conf && \
    printf 'root:x:0:0::/:/sbin/nologin\nstandin:x:1000:1000::/data:/sbin/nologin\n' >/system/etc/passwd && \
    printf 'root:x:0:\nstandin:x:1000:\n' >/system/etc/group

FROM scratch
LABEL org.opencontainers.image.title="standin" \
      org.opencontainers.image.description="A stateful mock server: gives any OpenAPI contract a memory, and stands in for a file set search and report schedule service" \
      org.opencontainers.image.licenses="MIT"
COPY --from=system /system /
COPY --from=base /usr/local/bin/node /usr/local/bin/node
WORKDIR /app
COPY package.json LICENSE ./
COPY spec spec
COPY fixtures fixtures
COPY docs docs
# To try: docker run -p 4010:4010 standin --contract examples/shop/contract.yaml
COPY examples/shop examples/shop
COPY --from=build /app/dist dist
# A volume that is mounted at /data for the first time takes over this owner: docker run -v mine:/data standin --data /data
COPY --from=system --chown=1000:1000 /empty /data
COPY --from=system --chown=1000:1000 /empty .compile-cache
ENV PATH=/usr/local/bin \
    NODE_ENV=production \
    NODE_COMPILE_CACHE=/app/.compile-cache \
    STANDIN_HOST=0.0.0.0
USER 1000:1000
# One run fills the compile cache, so that containers start without compiling. Node keeps a cache for each user, so it is this one that runs.
# The flag, which belongs to the cache, keeps a young generation of 8 MiB instead of 16: less memory for the same work.
RUN ["node", "--max-semi-space-size=8", "dist/cli.js", "check"]
EXPOSE 4010
# It takes the port from the flags of process 1, from STANDIN_PORT or from the configuration file.
HEALTHCHECK --interval=5s --timeout=3s --start-period=10s --retries=3 \
  CMD ["node", "/app/dist/cli.js", "health", "--pid", "1"]
# Node takes SIGTERM as process 1, for the command line listens to it. Flags are appended: docker run standin --seed 7
ENTRYPOINT ["node", "--max-semi-space-size=8", "/app/dist/cli.js", "serve"]
