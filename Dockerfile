FROM denoland/deno:2.9.6
WORKDIR /srv/wayline
COPY . .
RUN deno install --frozen && deno task build && install -d -o deno -g deno -m 700 data backups
USER deno
ENV HOST=0.0.0.0 DENO_NO_UPDATE_CHECK=1
VOLUME /srv/wayline/data
EXPOSE 8000
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s CMD ["deno", "eval", "--no-config", \
  "const { ok } = await fetch(`http://127.0.0.1:${Deno.env.get('PORT') ?? 8000}/ready`); Deno.exit(ok ? 0 : 1)"]
CMD ["deno", "task", "start"]
