import { readFileSync } from 'node:fs'

// Node loads this before a host whose clock a spec sets: `--import …/set-clock.ts?file=…`. The file says by how many ms the clock of
// that process is ahead. It is read once, so that a clock leaps only between two starts, and goes on in between.

const { searchParams } = new URL(import.meta.url)
const ahead = Number(readFileSync(searchParams.get('file')!, 'utf8'))
const RealDate = Date

globalThis.Date = new Proxy(RealDate, {
  construct: (target, given, made) =>
    Reflect.construct(target, given.length === 0 ? [target.now() + ahead] : given, made),
  get: (target, name) => (name === 'now' ? () => target.now() + ahead : Reflect.get(target, name)),
})
