import { z } from 'zod'
import { call } from '../rpc.ts'

/** Names of servers come before those of their tools, so they are short and plain. */
const serverName = z
  .string()
  .regex(
    /^[a-z0-9][a-z0-9_-]{0,31}$/,
    'up to 32 small letters, digits, - and _, beginning with a letter or a digit',
  )
const toolName = z.string().min(1).max(128)
const values = z.record(z.string().regex(/^[\w-]{1,100}$/, 'a name'), z.string().max(8_192))

const shared = {
  name: serverName,
  enabled: z.boolean().default(true),
  /** For the prompt and for people. */
  description: z.string().max(120).default(''),
  /** Tools that the prompt of every chat names. */
  pinned: z.array(toolName).max(20).default([]),
  off: z.array(toolName).max(500).default([]),
  /** Tools whose description changes at every start: they are pinned by name and schema alone. */
  by_shape: z.array(toolName).max(500).default([]),
  start_timeout_s: z.int().min(1).max(600).default(60),
  /** Time without progress in a call. */
  call_timeout_s: z.int().min(1).max(3_600).default(60),
}

/** A program on this computer. A value may hold `${NAME}`, which is replaced by the key of that name. */
export const LocalMcpServer = z.strictObject({
  ...shared,
  command: z.string().min(1).max(4_096),
  args: z.array(z.string().max(8_192)).max(100).default([]),
  env: values.default({}),
  /** The folder that it may write to; without it, a separate one. */
  cwd: z.string().max(4_096).optional(),
  /** Whether it may use the network while it is confined. */
  network: z.boolean().default(false),
})

/** A server at an address. A header may hold `${NAME}`. */
const RemoteMcpServer = z.strictObject({
  ...shared,
  url: z.url({ protocol: /^https?$/ }),
  headers: values.default({}),
})

/** An MCP server as config.yaml has it. */
export const McpServer = z.union(
  [LocalMcpServer, RemoteMcpServer],
  'a server with a name and either a command or a url',
)
export type McpServer = z.output<typeof McpServer>
export type LocalMcpServer = z.output<typeof LocalMcpServer>

/** The names of the keys that a server gets, in order: those of each `${NAME}` in its values. */
export function keysIn(server: McpServer): string[] {
  const texts =
    'command' in server ? [...server.args, ...Object.values(server.env)] : Object.values(server.headers)
  const names = texts.flatMap(text => [...text.matchAll(/\$\{(\w+)\}/g)].map(([, name = '']) => name))
  return [...new Set(names)].toSorted()
}

/**
 * Whether a tool may be used. `changed` and `new`: its text is not the one that the person accepted. `refused`: it cannot
 * be used at all, for the reason in `problem`.
 */
export const McpTool = z.object({
  name: z.string(),
  description: z.string(),
  state: z.enum(['on', 'off', 'new', 'changed', 'refused']),
  problem: z.string(),
  pinned: z.boolean(),
  /** Whether it runs without a question. */
  unasked: z.boolean(),
  /** The accepted text and the present one, of a changed tool. */
  change: z.object({ before: z.string(), after: z.string(), times: z.int() }).nullable(),
  /** What it would take of a prompt, in tokens. */
  tokens: z.int(),
})
export type McpTool = z.infer<typeof McpTool>

/** A server with what it is doing. */
export const McpServerState = z.object({
  name: z.string(),
  enabled: z.boolean(),
  /** The command or the address, whole, with secrets blackened. */
  shown: z.string(),
  /** What it reaches: a program is on this computer, with or without the network; an address is elsewhere. */
  reach: z.enum(['program', 'program with network', 'address']),
  /** `not accepted`: it was added or changed outside the window, and the person has not agreed to it. */
  state: z.enum(['not accepted', 'disabled', 'off', 'starting', 'running', 'failed']),
  problem: z.string(),
  /** The last lines that it printed. */
  lines: z.array(z.string()),
  warnings: z.array(z.string()),
  description: z.string(),
  /** As listed last; empty before its first start. */
  tools: z.array(McpTool),
})
export type McpServerState = z.infer<typeof McpServerState>

/** What came of a call, as the model would get it. `ok` is false if the server was not reached. */
const McpCallResult = z.object({
  ok: z.boolean(),
  isError: z.boolean(),
  text: z.string(),
  structured: z.unknown().optional(),
  files: z.array(z.string()).optional(),
})

const named = z.object({ name: serverName })

/** MCP servers: programs and addresses that bring tools. `app.watch` says when the list changes. */
export const mcp = {
  'mcp.list': call(z.object({}), z.object({ servers: z.array(McpServerState) })),
  /** What a server would be, before it is added: its command whole, and what to know about it. */
  'mcp.preview': call(
    z.object({ server: McpServer }),
    z.object({ shown: z.string(), warnings: z.array(z.string()) }),
  ),
  /** The servers in a text that was pasted, to be shown whole before one is added. */
  'mcp.read': call(
    z.object({ text: z.string().max(100_000) }),
    z.object({
      servers: z.array(
        z.object({
          name: z.string(),
          server: McpServer.nullable(),
          shown: z.string(),
          warnings: z.array(z.string()),
          problem: z.string(),
        }),
      ),
    }),
  ),
  /** A server as it can be edited, with `${NAME}` in place of each secret. */
  'mcp.entry': call(named, z.object({ server: McpServer })),
  /** Add or replace a server, which the person agreed to. `was` is its name before, if it gets another one. */
  'mcp.put': call(z.object({ server: McpServer, was: serverName.optional() }), McpServerState),
  'mcp.remove': call(named, z.object({})),
  /** Agree to a server that was changed outside, or to the present text of one tool. */
  'mcp.accept': call(named.extend({ tool: toolName.optional() }), McpServerState),
  /** Switch a server or one of its tools, or pin a tool to the prompt. */
  'mcp.switch': call(
    named.extend({
      tool: toolName.optional(),
      on: z.boolean().optional(),
      pinned: z.boolean().optional(),
      unasked: z.boolean().optional(),
    }),
    McpServerState,
  ),
  /** End its processes; it starts again at its next use. */
  'mcp.restart': call(named, McpServerState),
  /** Start it, if it does not run, and list its tools. */
  'mcp.test': call(
    named,
    z.object({
      ok: z.boolean(),
      problem: z.string(),
      tools: z.array(z.object({ name: z.string(), ok: z.boolean(), problem: z.string().optional() })),
    }),
  ),
  /** Call a tool as a model would, asked for by the person. */
  'mcp.call': call(named.extend({ tool: toolName, args: z.record(z.string(), z.unknown()) }), McpCallResult),
}
