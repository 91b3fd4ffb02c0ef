# One image for every part: the command says which (npm scripts: start, engine, edge, paper).
FROM node:24-trixie-slim
WORKDIR /app
# glibc: with an arena for each thread the memory of a busy process grows for hours.
ENV NODE_ENV=production DATA_DIR=/data MALLOC_ARENA_MAX=1 MALLOC_TRIM_THRESHOLD_=131072
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev --ignore-scripts && npm cache clean --force
COPY tsconfig.json LICENSE ./
COPY .scripts .scripts
COPY src src
COPY engine engine
COPY edge edge
COPY fixtures fixtures
RUN mkdir /data && chown node:node /data
USER node
VOLUME /data
EXPOSE 8080
# Node itself is process 1, so that SIGTERM ends it politely.
CMD ["node", ".scripts/run.mjs", "src/main.ts"]
