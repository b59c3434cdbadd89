# The image gets its whole configuration from the environment; see app/routes/docs/content/configuration.md. Needed in production: SESSION_SECRET, APP_URL.

FROM node:26-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --include=dev
COPY . .
RUN npm run build

FROM node:26-slim AS packages
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev --omit=optional && npm cache clean --force

FROM node:26-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000
RUN groupadd --gid 1001 service \
  && useradd --uid 1001 --gid 1001 --no-create-home --home-dir /tmp --shell /usr/sbin/nologin service
WORKDIR /app
COPY package.json ./
COPY --from=packages /app/node_modules ./node_modules
COPY --from=build /app/build ./build
COPY public ./public
# The workers of the embedded database and of the scan, the launcher and the commands of operators run from source.
COPY server ./server
COPY migrations ./migrations
# What agents read of the documentation.
COPY app/routes/docs/content ./app/routes/docs/content
# Writable only for those who mount a volume here for the embedded database.
RUN install --directory --owner=1001 --group=1001 data
USER 1001:1001
EXPOSE 3000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "--eval", "fetch(`http://127.0.0.1:${process.env.PORT}/api/health`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
# A report about a crash, where somebody asks for one, has no secret of the environment.
CMD ["node", "--report-exclude-env", "server/launch.mjs"]
