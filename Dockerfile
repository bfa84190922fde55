# Build and run: docker build -t flagdouble . && docker run --rm -p 4242:4242 flagdouble
FROM node:24-slim AS build
WORKDIR /build
COPY package.json package-lock.json .npmrc ./
RUN npm ci --ignore-scripts
COPY . .
RUN npm run build

FROM node:24-slim
ENV NODE_ENV=production
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev --ignore-scripts && npm cache clean --force
COPY --from=build /build/dist dist
USER node
EXPOSE 4242
# The loopback address of a container can't be reached from outside.
ENV FLAGDOUBLE_HOST=0.0.0.0
HEALTHCHECK --interval=10s --timeout=3s --start-period=5s \
  CMD ["node", "-e", "const { env } = process; const path = (env.FLAGDOUBLE_BASE_PATH || env.BASE_URI_PATH || '').replace(/^\\/*(.*?)\\/*$/, '/$1').replace(/^\\/$/, ''); fetch(`http://127.0.0.1:${env.FLAGDOUBLE_PORT || env.HTTP_PORT || 4242}${path}/__mock/health`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "dist/cli.js"]
CMD ["start"]
