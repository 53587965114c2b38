import childProcess, { type ChildProcess } from 'node:child_process'
import { syncBuiltinESMExports } from 'node:module'
import { afterEach, expect, test } from 'vitest'
import { answerBinaryTest } from './answer-binary-test.ts'

const { fork } = childProcess
afterEach(() => {
  childProcess.fork = fork
  syncBuiltinESMExports()
})

/** Send the messages that node-llama-cpp sends, and record the answers. */
async function testBinary(child: ChildProcess): Promise<unknown[]> {
  const heard: unknown[] = []
  const next: Record<string, string> = { ready: 'start', loaded: 'test', done: 'exit' }
  await new Promise<void>(resolve => {
    child.on('message', message => {
      const { type } = message as { type: string }
      heard.push(type)
      child.send({ type: next[type] })
    })
    child.once('exit', code => {
      heard.push(code)
      resolve()
    })
  })
  return heard
}

test('a test of the binary passes without a process', async () => {
  answerBinaryTest()
  const native = await import('node:child_process')
  expect(await testBinary(native.fork('/no/such/script.js'))).toEqual(['ready', 'loaded', 'done', 0])
})
