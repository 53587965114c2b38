import childProcess, { type ChildProcess } from 'node:child_process'
import { EventEmitter } from 'node:events'
import { syncBuiltinESMExports } from 'node:module'

/** The messages that node-llama-cpp sends to the process that tests its binary, with the expected answers. */
const answers: Record<string, string> = { start: 'loaded', test: 'done' }

/** A child process that passes the test without running anything. */
class PassingChild extends EventEmitter {
  exitCode: number | null = null
  killed = false
  constructor() {
    super()
    queueMicrotask(() => this.emit('message', { type: 'ready' }))
  }
  send({ type }: { type: string }): boolean {
    const answer = answers[type]
    if (answer !== undefined) queueMicrotask(() => this.emit('message', { type: answer }))
    else if (type === 'exit') queueMicrotask(() => this.end())
    return true
  }
  kill(): boolean {
    this.killed = true
    return true
  }
  private end(): void {
    this.exitCode = 0
    this.emit('exit', 0, null)
  }
}

/**
 * Let node-llama-cpp load its binary without testing it in another process first, which takes half of an
 * engine's start. The engine's process replaces the test: if the binary aborts, only that process ends, and
 * the host continues without the graphics card. Inside a utility process a test is impossible: only the main
 * process has `utilityProcess`, and `child_process.fork` needs Electron's fuse `runAsNode`, which is off.
 * Call this before the library is imported; this process can fork nothing afterwards. The protocol is in
 * `dist/bindings/utils/testBindingBinary.js` of node-llama-cpp 3.22.1.
 */
export function answerBinaryTest(): void {
  childProcess.fork = () => new PassingChild() as unknown as ChildProcess
  syncBuiltinESMExports()
}
