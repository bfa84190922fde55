# Build and run: docker build -t flagdouble . && docker run --rm -p 4242:4242 flagdouble
FROM node:24-slim AS build
WORKDIR /build
COPY . .
RUN npm install --no-audit --no-fund && npm pack --silent && mv flagdouble-*.tgz flagdouble.tgz

FROM node:24-slim
ENV NODE_ENV=production
WORKDIR /app
COPY --from=build /build/flagdouble.tgz .
RUN npm install --omit=dev --no-audit --no-fund ./flagdouble.tgz && rm flagdouble.tgz && npm cache clean --force
USER node
EXPOSE 4242
# The loopback address of a container can't be reached from outside.
ENV FLAGDOUBLE_HOST=0.0.0.0
HEALTHCHECK --interval=10s --timeout=3s --start-period=5s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.FLAGDOUBLE_PORT || 4242}${process.env.FLAGDOUBLE_BASE_PATH || ''}/__mock/health`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "node_modules/flagdouble/dist/cli.js"]
CMD ["start"]
