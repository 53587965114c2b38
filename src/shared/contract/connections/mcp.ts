import { z } from 'zod'
import { call } from '../../rpc.ts'
import { Seen, UNSEEN } from '../seen.ts'

/** Names of servers come before those of their tools, so they are short and plain. */
const serverName = z
  .string()
  .regex(
    /^[a-z0-9][a-z0-9_-]{0,31}$/,
    'up to 32 small letters, digits, - and _, beginning with a letter or a digit',
  )
const toolName = z.string().min(1).max(500)
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

/**
 * A program on this computer. A value may hold `${NAME}` or `${NAME:-default}`, which is replaced by the key of that name when
 * it starts.
 */
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

/** A server at an address. The address or a header may hold `${NAME}`. */
const RemoteMcpServer = z.strictObject({
  ...shared,
  url: z.url({ protocol: /^https?$/ }),
  headers: values.default({}),
})

/** What the person chose for a server that the `.mcp.json` of a project names, in `folder`. */
export const McpProjectServer = z
  .strictObject({
    ...shared,
    folder: z.string().max(4_096),
    network: z.boolean().default(false),
  })
  .omit({ description: true })
export type McpProjectServer = z.output<typeof McpProjectServer>

/**
 * A folder with an `.mcp.json`: which of its entries do not count, and why, in sentences. Without trust the file is not read.
 */
const McpFolder = z.object({ folder: z.string(), trusted: z.boolean(), problems: z.array(z.string()) })
export type McpFolder = z.infer<typeof McpFolder>

/** An MCP server as config.yaml has it. */
export const McpServer = z.union(
  [LocalMcpServer, RemoteMcpServer],
  'a server with a name and either a command or a url',
)
export type McpServer = z.output<typeof McpServer>
export type LocalMcpServer = z.output<typeof LocalMcpServer>

/** `${NAME}` or `${NAME:-what stands there if there is no such key}`. */
export const VARIABLE = /\$\{(?<name>\w+)(?::-(?<otherwise>[^}]*))?\}/g

/** The names of the keys that a server gets, in order: those of each `${NAME}` in its values; with `isNeeded` without others. */
export function keysIn(server: McpServer, isNeeded = false): string[] {
  const texts =
    'command' in server
      ? [server.command, server.cwd ?? '', ...server.args, ...Object.values(server.env)]
      : [server.url, ...Object.values(server.headers)]
  const names = texts.flatMap(text =>
    [...text.matchAll(VARIABLE)].flatMap(({ groups: { name, otherwise } = {} }) =>
      name === undefined || (isNeeded && otherwise !== undefined) ? [] : [name],
    ),
  )
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
  /** Whether only its name and schema have to stay as they were accepted, because its text changes at every start. */
  byShape: z.boolean(),
  /** Whether it runs without a question. */
  unasked: z.boolean(),
  /** The accepted text and the present one, of a changed tool. `isShapeSame`: its name and schema did not change. */
  change: z
    .object({ before: z.string(), after: z.string(), times: z.int(), isShapeSame: z.boolean() })
    .nullable(),
  /** What it would take of a prompt, in tokens. */
  tokens: z.int(),
  /** Of its name, text, schema and annotations, those that were accepted before, and its server. */
  seen: Seen,
})
export type McpTool = z.infer<typeof McpTool>

/** A server with what it is doing. */
export const McpServerState = z.object({
  name: z.string(),
  /** The folder whose `.mcp.json` names it, and whose chats may use it; null for a server of the person. */
  project: z.string().nullable(),
  enabled: z.boolean(),
  /** The command or the address, whole, with secrets blackened. */
  shown: z.string(),
  /** What it reaches: a program is on this computer, with or without the network; an address is elsewhere. */
  reach: z.enum(['program', 'program with network', 'address']),
  /** `not accepted`: it was added or changed outside the window, and the person has not agreed to it. */
  state: z.enum(['not accepted', 'disabled', 'off', 'starting', 'running', 'failed']),
  /**
   * What changed since the person agreed to it, part by part, of a server that is `not accepted`: empty if that is not known, null
   * if nobody agreed to it before.
   */
  changes: z.array(z.object({ part: z.string(), before: z.string(), after: z.string() })).nullable(),
  problem: z.string(),
  /** The last lines that it printed. */
  lines: z.array(z.string()),
  warnings: z.array(z.string()),
  /** Where it may write while it is confined, in words: “this folder”, “~/notes”. */
  writes: z.array(z.string()),
  /** Whether its command names a package without an exact version, which `mcp.version` finds. */
  isUnpinned: z.boolean(),
  description: z.string(),
  /** As listed last; empty before its first start. */
  tools: z.array(McpTool),
  /** Of all that is shown of it before the person agrees, its entry with every value, and the scripts that it names. */
  seen: Seen,
})
export type McpServerState = z.infer<typeof McpServerState>

/** The beginning of a part’s name if the part is the hash of a program’s file. The path follows. */
export const CODE_HASH = 'SHA-256 of '

/** The sentence on each card that asks to agree to a server; empty for one that writes nowhere here. */
export const sayWrites = (writes: readonly string[]): string =>
  writes.length === 0 ? '' : `It may write in: ${writes.join(', ')}.`

/** Where an exact version comes from. */
const VersionOrigin = z.enum(['cache', 'registry'])

/** The same in words for a person. */
export const versionOrigin = (version: string, from: z.infer<typeof VersionOrigin>): string =>
  from === 'cache'
    ? `npx has ${version} in its cache and currently runs it.`
    : `The registry gives ${version} as its version. Nothing was downloaded.`

/**
 * What came of a call, as the model would get it. `ok` is false if the server was not reached. `sent`: the arguments as the tool
 * takes them, where those that were given had another form.
 */
const McpCallResult = z.object({
  ok: z.boolean(),
  isError: z.boolean(),
  text: z.string(),
  structured: z.unknown().optional(),
  sent: z.record(z.string(), z.unknown()).optional(),
  files: z.array(z.string()).optional(),
})

const named = z.object({ name: serverName })

/** MCP servers: programs and addresses that bring tools. `app.watch` says when the list changes. */
export const mcp = {
  'mcp.list': call(
    z.object({}),
    z.object({ servers: z.array(McpServerState), projects: z.array(McpFolder) }),
  ),
  /** What a server would be, before it is added: its command whole, and what to know about it. */
  'mcp.preview': call(
    z.object({ server: McpServer }),
    z.object({ shown: z.string(), warnings: z.array(z.string()), writes: z.array(z.string()), seen: Seen }),
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
          writes: z.array(z.string()),
          problem: z.string(),
          /** As in `mcp.preview`. */
          seen: Seen,
        }),
      ),
    }),
  ),
  /** A server as it can be edited, with `${NAME}` in place of each secret. */
  'mcp.entry': call(named, z.object({ server: McpServer })),
  /**
   * Add or replace a server, which the person agreed to as `mcp.preview`, `mcp.read` or `mcp.version` showed it. `was` is its name
   * before, if it gets another one.
   */
  'mcp.put': call(z.object({ server: McpServer, was: serverName.optional(), seen: Seen }), McpServerState),
  /** Remove a server. Within a minute that can be undone, unless it is for good. */
  'mcp.remove': call(named.extend({ forGood: z.boolean().optional() }), z.object({})),
  /** Bring back a server that was removed a moment ago, with all that was agreed to. */
  'mcp.restore': call(named, McpServerState),
  /** Agree to a server that was changed outside, or to the text of one tool, as it was shown. `conflict` when it is not that now. */
  'mcp.accept': call(named.extend({ tool: toolName.optional(), seen: Seen }), McpServerState),
  /**
   * Switch a server, its network if it is of a project, or one of its tools, pin a tool to the prompt, or hold it to its name and
   * schema alone. What gives more rights carries `seen` of the server or tool: to run unasked, to have any text, to use the network.
   */
  'mcp.switch': call(
    named
      .extend({
        tool: toolName.optional(),
        on: z.boolean().optional(),
        pinned: z.boolean().optional(),
        byShape: z.boolean().optional(),
        unasked: z.boolean().optional(),
        network: z.boolean().optional(),
        seen: Seen.optional(),
      })
      .refine(
        ({ byShape, unasked, network, seen }) =>
          seen !== undefined || !(byShape === true || unasked === true || network === true),
        UNSEEN,
      ),
    McpServerState,
  ),
  /**
   * The exact version of the package that its command means, and the server with it, to be shown and then put. `from`: npx has it
   * in its cache, or the registry names it, which is asked.
   */
  'mcp.version': call(
    named,
    z.object({
      version: z.string(),
      from: VersionOrigin,
      server: McpServer,
      shown: z.string(),
      seen: Seen,
    }),
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
