import { ChildProcess, spawn, type SpawnOptions } from 'node:child_process'

/** What starts a program: Node's own, or what stands for it on Windows. */
type Spawn = (program: string, args: string[], options: SpawnOptions) => ChildProcess

/** Without a listener an `error` ends this process. Who starts a child listens as well. */
const ignore = () => undefined
const NO_PIPES = { stdin: null, stdout: null, stderr: null, stdio: [null, null, null, null, null] }

/**
 * Start a program so that nothing of it can end this process. Whatever keeps it from starting arrives as its `error` event:
 * Node throws some of it, such as arguments that are too long, or a folder that has become a file. Each pipe may break at any
 * time. Where there are no descriptors left, Node makes no pipes at all; here they are null.
 */
export function startChild(
  program: string,
  args: readonly string[],
  options: SpawnOptions,
  start: Spawn = spawn,
): ChildProcess {
  let child: ChildProcess
  try {
    child = start(program, [...args], options)
  } catch (error) {
    child = new ChildProcess()
    const failed = child
    process.nextTick(() => failed.emit('error', error))
  }
  if (!Array.isArray(child.stdio)) Object.assign(child, NO_PIPES)
  child.on('error', ignore)
  for (const stream of child.stdio) stream?.on('error', ignore)
  return child
}
