import childProcess, { type ChildProcess } from 'node:child_process'
import { EventEmitter } from 'node:events'
import { syncBuiltinESMExports } from 'node:module'

/** What node-llama-cpp says to the process that tests its binary, and what it expects to hear. */
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
 * Let node-llama-cpp load its binary without testing it in another process first, which takes half of an engine's
 * start. The engine's process takes the place of the test: when the binary aborts, only that process ends, and the
 * host goes on without the graphics card. Inside a utility process it could not be tested at all: only the main process
 * has `utilityProcess`, and `child_process.fork` needs Electron's fuse `runAsNode`, which is off. Call it before the
 * library is imported; this process can fork nothing afterwards. The conversation is in
 * `dist/bindings/utils/testBindingBinary.js` of node-llama-cpp 3.22.1.
 */
export function answerBinaryTest(): void {
  childProcess.fork = () => new PassingChild() as unknown as ChildProcess
  syncBuiltinESMExports()
}
