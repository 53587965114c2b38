import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** What V8 writes with `--cpu-prof`: the times are microseconds of the clock of `process.hrtime`. */
type Profile = {
  nodes: readonly ProfileNode[]
  startTime: number
  samples: readonly number[]
  timeDeltas: readonly number[]
}
type ProfileNode = {
  id: number
  callFrame: { functionName: string; url: string; lineNumber: number }
  children?: readonly number[]
}

/** A time in which calls waited: begin and end in milliseconds of the clock of `process.hrtime`. */
export type Wait = { from: number; to: number }

/** What the main thread did in a wait. `work` is what took longest first, by the innermost functions of our own. */
export type Stretch = { ms: number; idleMs: number; work: readonly { ms: number; stack: string }[] }

/** Functions named of each stack. */
const NAMED = 4

/** Join waits that overlap, oldest first. */
export function joinWaits(waits: readonly Wait[]): Wait[] {
  const joined: Wait[] = []
  for (const { from, to } of waits.toSorted((a, b) => a.from - b.from)) {
    const last = joined.at(-1)
    if (last && from <= last.to) last.to = Math.max(last.to, to)
    else joined.push({ from, to })
  }
  return joined
}

/** Find in a `.cpuprofile` file what the thread did in each of these times. */
export function readStretches(path: string, waits: readonly Wait[]): Stretch[] {
  const profile = JSON.parse(readFileSync(path, 'utf8')) as Profile
  const stackOf = stacksOf(profile)
  const found = waits.map(wait => ({ ...wait, idleMs: 0, byStack: new Map<string, number>() }))
  let at = profile.startTime
  for (const [n, node] of profile.samples.entries()) {
    at += profile.timeDeltas[n]!
    // A sample stands for the time until the next one.
    const ms = (profile.timeDeltas[n + 1] ?? 0) / 1_000
    const stretch = found.find(({ from, to }) => at / 1_000 >= from && at / 1_000 < to)
    if (!stretch) continue
    const stack = stackOf(node)
    if (stack === '(idle)') stretch.idleMs += ms
    else stretch.byStack.set(stack, (stretch.byStack.get(stack) ?? 0) + ms)
  }
  return found.map(({ from, to, idleMs, byStack }) => ({
    ms: to - from,
    idleMs,
    work: [...byStack].map(([stack, ms]) => ({ ms, stack })).toSorted((a, b) => b.ms - a.ms),
  }))
}

/** The innermost functions of our own that a node was called in, with the file of each; else the innermost function. */
function stacksOf({ nodes }: Profile): (id: number) => string {
  const byId = new Map(nodes.map(node => [node.id, node]))
  const above = new Map(nodes.flatMap(({ id, children = [] }) => children.map(child => [child, id] as const)))
  const stacks = new Map<number, string>()
  const sourceOf = sourcesOf()
  function find(id: number): string {
    const own: string[] = []
    for (let at: number | undefined = id; at !== undefined && own.length < NAMED; at = above.get(at)) {
      const { callFrame } = byId.get(at)!
      const source = sourceOf(callFrame)
      if (source?.startsWith('src/')) own.push(`${callFrame.functionName || '=>'} ${source}`)
    }
    const { functionName } = byId.get(id)!.callFrame
    return own.length > 0 ? own.join(' < ') : functionName
  }
  return id => {
    const stack = stacks.get(id) ?? find(id)
    stacks.set(id, stack)
    return stack
  }
}

/** The source of a function in a built file: the bundler writes its path above what it took from there. */
function sourcesOf(): (frame: ProfileNode['callFrame']) => string | undefined {
  const files = new Map<string, string[]>()
  return ({ url, lineNumber }) => {
    if (!url.startsWith('file:') || !url.includes('/out/main/')) return undefined
    const lines = files.get(url) ?? readFileSync(fileURLToPath(url), 'utf8').split('\n')
    files.set(url, lines)
    const above = lines.slice(0, lineNumber + 1).findLast(line => SOURCE.test(line))
    return above && SOURCE.exec(above)?.[1]
  }
}
const SOURCE = /^\/\/(?:#region)? (\S+\.[cm]?[jt]s)/
