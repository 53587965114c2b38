import { z } from 'zod'
import { call } from '../../rpc.ts'
import { Seen, UNSEEN } from '../seen.ts'

/** The name of a server. It is a prefix of its tools' names, so it is short and plain. */
const serverName = z
  .string()
  .regex(
    /^[a-z0-9][a-z0-9_-]{0,31}$/,
    'up to 32 lowercase letters, digits, - and _, starting with a letter or a digit',
  )
const toolName = z.string().min(1).max(500)
const values = z.record(z.string().regex(/^[\w-]{1,100}$/, 'a name'), z.string().max(8_192))

const shared = {
  name: serverName,
  enabled: z.boolean().default(true),
  /** For the prompt and for the user. */
  description: z.string().max(120).default(''),
  /** Tools that are described in the prompt of every chat. */
  pinned: z.array(toolName).max(20).default([]),
  off: z.array(toolName).max(500).default([]),
  /** Tools whose description changes at every start: only their name and schema have to match. */
  by_shape: z.array(toolName).max(500).default([]),
  start_timeout_s: z.int().min(1).max(600).default(60),
  /** Maximum time without progress in a call. */
  call_timeout_s: z.int().min(1).max(3_600).default(60),
}

/**
 * A program on this computer. A value may contain `${NAME}` or `${NAME:-default}`, which is replaced by the
 * key of that name when the program starts.
 */
export const LocalMcpServer = z.strictObject({
  ...shared,
  command: z.string().min(1).max(4_096),
  args: z.array(z.string().max(8_192)).max(100).default([]),
  env: values.default({}),
  /** The folder that the program may write to; by default, its own folder. */
  cwd: z.string().max(4_096).optional(),
  /** Whether the confined program may use the network. */
  network: z.boolean().default(false),
})

/** A server at an address. The address or a header may contain `${NAME}`. */
const RemoteMcpServer = z.strictObject({
  ...shared,
  url: z.url({ protocol: /^https?$/ }),
  headers: values.default({}),
})

/** The user's choices for a server in the `.mcp.json` of a project, in `folder`. */
export const McpProjectServer = z
  .strictObject({
    ...shared,
    folder: z.string().max(4_096),
    network: z.boolean().default(false),
  })
  .omit({ description: true })
export type McpProjectServer = z.output<typeof McpProjectServer>

/**
 * A folder with an `.mcp.json`. `problems`: entries that are not used and why, in sentences. Without trust
 * the file is not read.
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

/** `${NAME}` or `${NAME:-default}`. */
export const VARIABLE = /\$\{(?<name>\w+)(?::-(?<otherwise>[^}]*))?\}/g

/**
 * The names of the keys that a server uses, sorted: each `${NAME}` in its values. With `isNeeded`, only keys
 * without a default.
 */
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
 * A tool and whether it may be used. `changed` and `new`: its text is not what the user accepted. `refused`:
 * it cannot be used at all, for the reason in `problem`.
 */
export const McpTool = z.object({
  name: z.string(),
  description: z.string(),
  state: z.enum(['on', 'off', 'new', 'changed', 'refused']),
  problem: z.string(),
  pinned: z.boolean(),
  /**
   * Whether only its name and schema have to match what was accepted, because its text changes at every
   * start.
   */
  byShape: z.boolean(),
  /** Whether it runs without a question. */
  unasked: z.boolean(),
  /**
   * The accepted and the current text of a changed tool. `isShapeSame`: its name and schema did not change.
   */
  change: z
    .object({ before: z.string(), after: z.string(), times: z.int(), isShapeSame: z.boolean() })
    .nullable(),
  /** Its size in a prompt, in tokens. */
  tokens: z.int(),
  /** The hash of its name, text, schema and annotations, of those accepted before, and of its server. */
  seen: Seen,
})
export type McpTool = z.infer<typeof McpTool>

/** A server with its current state. */
export const McpServerState = z.object({
  name: z.string(),
  /**
   * The folder whose `.mcp.json` names the server, and whose chats may use it; null for the user's own
   * server.
   */
  project: z.string().nullable(),
  enabled: z.boolean(),
  /** The whole command or address, with secrets masked. */
  shown: z.string(),
  /**
   * What the server can reach: a program on this computer, with or without network, or an address elsewhere.
   */
  reach: z.enum(['program', 'program with network', 'address']),
  /** `not accepted`: it was added or changed outside the window, and the user has not agreed to it. */
  state: z.enum(['not accepted', 'disabled', 'off', 'starting', 'running', 'failed']),
  /**
   * For a server that is `not accepted`, the changes since the user agreed to it, part by part: empty if they
   * are unknown, null if the user never agreed to it.
   */
  changes: z.array(z.object({ part: z.string(), before: z.string(), after: z.string() })).nullable(),
  problem: z.string(),
  /** The last lines of its output. */
  lines: z.array(z.string()),
  warnings: z.array(z.string()),
  /** The folders that the confined server may write to, in words: “this folder”, “~/notes”. */
  writes: z.array(z.string()),
  /** Whether its command names a package without an exact version, which `mcp.version` finds. */
  isUnpinned: z.boolean(),
  description: z.string(),
  /** The tools in its last listing; empty before its first start. */
  tools: z.array(McpTool),
  /**
   * The hash of everything shown before the user agrees, of its entry with every value, and of the scripts
   * that it names.
   */
  seen: Seen,
})
export type McpServerState = z.infer<typeof McpServerState>

/** The prefix of a part’s name if the part is the hash of a program’s file. The path follows. */
export const CODE_HASH = 'SHA-256 of '

/**
 * Say where a server may write, on each card that asks to agree to it; empty if it writes nowhere on this
 * computer.
 */
export const sayWrites = (writes: readonly string[]): string =>
  writes.length === 0 ? '' : `It may write to: ${writes.join(', ')}.`

/** The source of an exact version. */
const VersionOrigin = z.enum(['cache', 'registry'])

/** Describe the source of a version for the user. */
export const versionOrigin = (version: string, from: z.infer<typeof VersionOrigin>): string =>
  from === 'cache'
    ? `npx has ${version} in its cache and currently runs it.`
    : `The registry gives ${version} as its version. Nothing was downloaded.`

/**
 * The result of a call, as the model would get it. `ok` is false if the server was not reached. `sent`: the
 * arguments as sent to the tool, if the given arguments had another form.
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

/** MCP servers: programs and addresses that provide tools. `app.watch` reports changes of the list. */
export const mcp = {
  'mcp.list': call(
    z.object({}),
    z.object({ servers: z.array(McpServerState), projects: z.array(McpFolder) }),
  ),
  /** Describe a server before it is added: its whole command, and warnings about it. */
  'mcp.preview': call(
    z.object({ server: McpServer }),
    z.object({ shown: z.string(), warnings: z.array(z.string()), writes: z.array(z.string()), seen: Seen }),
  ),
  /** Read the servers in a pasted text, to be shown in full before the user adds one. */
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
   * Add or replace a server that the user agreed to as shown by `mcp.preview`, `mcp.read` or `mcp.version`.
   * `was`: its old name, if it is renamed.
   */
  'mcp.put': call(z.object({ server: McpServer, was: serverName.optional(), seen: Seen }), McpServerState),
  /** Remove a server. This can be undone for a minute, unless the server is removed for good. */
  'mcp.remove': call(named.extend({ forGood: z.boolean().optional() }), z.object({})),
  /** Restore a server that was removed less than a minute ago, with everything that the user had accepted. */
  'mcp.restore': call(named, McpServerState),
  /**
   * Accept a server changed outside the window, or the text of one tool, as it was shown. Throws `conflict`
   * if it has changed since.
   */
  'mcp.accept': call(named.extend({ tool: toolName.optional(), seen: Seen }), McpServerState),
  /**
   * Switch a server, its network if it belongs to a project, or one of its tools; pin a tool to the prompt;
   * or require only its name and schema to stay the same. A change that gives more rights carries `seen` of
   * the server or tool: to run without asking, to have any text, to use the network.
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
   * Find the exact version of the package in a server's command. Returns the server with that version, to be
   * shown and then put. `from`: the cache of npx, or else the registry, which is asked.
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
  /** End the processes of a server; it starts again when it is next used. */
  'mcp.restart': call(named, McpServerState),
  /** Start a server if it does not run, and list its tools. */
  'mcp.test': call(
    named,
    z.object({
      ok: z.boolean(),
      problem: z.string(),
      tools: z.array(z.object({ name: z.string(), ok: z.boolean(), problem: z.string().optional() })),
    }),
  ),
  /** Call a tool as a model would, at the user's request. */
  'mcp.call': call(named.extend({ tool: toolName, args: z.record(z.string(), z.unknown()) }), McpCallResult),
}
