import { fileURLToPath } from 'node:url'
import { aHost, transcript, type TestHost } from '../host/a-host.ts'
import { McpServer } from '../../src/shared/contract/connections/mcp.ts'
import type { Decision, RunEvent } from '../../src/shared/contract/runs/run.ts'
import { putServer } from './agree.ts'

export const misbehaving = fileURLToPath(new URL('./misbehaving-server.ts', import.meta.url))
export const unconfined = {
  confinement: async () => ({ confined: false as const, reason: 'A test.', remedy: '' }),
}

/** The misbehaving server with these arguments, the first of which is its mode. */
export const aMisbehaving = (name: string, args: readonly string[] = ['good']): McpServer =>
  McpServer.parse({ name, command: process.execPath, args: [misbehaving, ...args] })

/** A host with these servers, accepted and listed. `modes`: the mode of the misbehaving server, by name. */
export async function aHostWith(home: string, modes: Record<string, string[]>): Promise<TestHost> {
  const host = await aHost(home, { coreTools: true, ...unconfined })
  for (const [name, args] of Object.entries(modes)) {
    await putServer(host.client, { server: aMisbehaving(name, args) })
    await host.client['mcp.test']({ name })
  }
  return host
}

/** Replies of a model that calls one tool. */
export const find = (query: string) => ({ toolCalls: [{ name: 'find_tool', arguments: { query } }] })
export const use = (name: string, args: object) => ({
  toolCalls: [{ name: 'use_tool', arguments: { name, arguments: args } }],
})
export const run = (command: string) => ({ toolCalls: [{ name: 'terminal', arguments: { command } }] })

/** The results of the calls of a chat, in order. */
export const results = async (host: TestHost, id: string): Promise<string[]> =>
  (await transcript(host, id)).filter(line => line.startsWith('result: '))

/** Answers each question with this decision, and records its reason. */
export function answering(host: TestHost, decision: Decision, asked: string[] = []) {
  return async (event: RunEvent, runId: string) => {
    if (event.type !== 'approval_request') return
    asked.push(`${event.approval.title}: ${event.approval.reason}`)
    await host.client['run.approve']({ runId, approvalId: event.approval.id, decision, note: '' })
  }
}
