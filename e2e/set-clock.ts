import { readFileSync } from 'node:fs'

// A host whose clock a spec sets starts with `--import …/set-clock.ts?file=…`. The file says by how many ms
// its clock is ahead. It is read once, so the clock leaps only between two starts and runs normally after
// each.

const { searchParams } = new URL(import.meta.url)
const ahead = Number(readFileSync(searchParams.get('file')!, 'utf8'))
const RealDate = Date

globalThis.Date = new Proxy(RealDate, {
  construct: (target, given, made) =>
    Reflect.construct(target, given.length === 0 ? [target.now() + ahead] : given, made),
  get: (target, name) => (name === 'now' ? () => target.now() + ahead : Reflect.get(target, name)),
})
