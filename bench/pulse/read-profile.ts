import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** The profile that V8 writes with `--cpu-prof`. Times are microseconds of the clock of `process.hrtime`. */
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

/** A time in which calls waited: its begin and end, in ms of the clock of `process.hrtime`. */
export type Wait = { from: number; to: number }

/**
 * Work of the thread without a return to its event loop: `ms` of processor time, and the functions that took
 * it.
 */
export type Task = { ms: number; functions: Called }
/** A function, its time in ms, and the functions that it called. */
export type Called = { name: string; ms: number; calls: Map<string, Called> }

/**
 * The most time that a sample stands for, in ms. If the next sample comes later, the thread had no processor
 * meanwhile.
 */
const MOST_OF_SAMPLE = 1
const IDLE = '(idle)'
/** Names of nodes outside JavaScript, such as the event loop between two tasks. */
const OUTSIDE = new Set(['(program)', '(garbage collector)'])

/** The tasks that a `.cpuprofile` file shows during these waits, the longest first. */
export function readTasks(path: string, waits: readonly Wait[]): Task[] {
  const profile = JSON.parse(readFileSync(path, 'utf8')) as Profile
  const stackOf = stacksOf(profile)
  const tasks: Task[] = []
  let entered: number | undefined
  let at = profile.startTime / 1_000
  for (const [n, id] of profile.samples.entries()) {
    at += profile.timeDeltas[n]! / 1_000
    const { entry, names } = stackOf(id)
    if (OUTSIDE.has(names[0]!)) {
      if (names[0] === '(program)') entered = undefined
      continue
    }
    if (names[0] === IDLE || !waits.some(({ from, to }) => at >= from && at < to)) {
      entered = undefined
      continue
    }
    if (entered !== entry) tasks.push({ ms: 0, functions: newCalled('') })
    entered = entry
    const task = tasks.at(-1)!
    const ms = Math.min(MOST_OF_SAMPLE, (profile.timeDeltas[n + 1] ?? 0) / 1_000)
    task.ms += ms
    addStack(task.functions, names, ms)
  }
  return tasks.toSorted((a, b) => b.ms - a.ms)
}

const newCalled = (name: string): Called => ({ name, ms: 0, calls: new Map() })

function addStack(root: Called, names: readonly string[], ms: number): void {
  let at = root
  for (const name of names) {
    const called = at.calls.get(name) ?? newCalled(name)
    at.calls.set(name, called)
    called.ms += ms
    at = called
  }
}

type Stack = { entry: number; names: readonly string[] }

/**
 * For a node of a profile: the node at which the event loop entered JavaScript, and the functions from there
 * on.
 */
function stacksOf({ nodes }: Profile): (id: number) => Stack {
  const byId = new Map(nodes.map(node => [node.id, node]))
  const above = new Map(nodes.flatMap(({ id, children = [] }) => children.map(child => [child, id] as const)))
  const known = new Map<number, Stack>()
  const sourceOf = sourcesOf()
  function find(id: number): Stack {
    const names: string[] = []
    let entry = id
    // The root itself has nothing above it.
    for (let at = id; above.has(at); at = above.get(at)!) {
      const { callFrame } = byId.get(at)!
      names.unshift(`${callFrame.functionName || '=>'} ${sourceOf(callFrame)}`.trimEnd())
      entry = at
    }
    return { entry, names }
  }
  return id => {
    const stack = known.get(id) ?? find(id)
    known.set(id, stack)
    return stack
  }
}

/**
 * Finds the source of a function. In a built file, the bundler writes the path of each source above its code.
 */
function sourcesOf(): (frame: ProfileNode['callFrame']) => string {
  const files = new Map<string, string[]>()
  return ({ url, lineNumber }) => {
    if (!url.startsWith('file:') || !url.includes('/out/main/')) return url.replace(/^.*node_modules\//, '')
    const lines = files.get(url) ?? readFileSync(fileURLToPath(url), 'utf8').split('\n')
    files.set(url, lines)
    const above = lines.slice(0, lineNumber + 1).findLast(line => SOURCE.test(line))
    return (above && SOURCE.exec(above)?.[1]) ?? ''
  }
}
const SOURCE = /^\/\/ (\S+\.[cm]?[jt]sx?)$/
