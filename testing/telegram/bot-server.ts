import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ApiResponse, WebhookInfo } from '@grammyjs/types'
import { z } from 'zod'
import { botMethods } from './bot-methods.ts'
import type { Clock } from './hand-clock.ts'
import { makePhone, type Phone } from './phone.ts'
import { makeBuckets, TOLD_LIMITS, type Limits } from './rate-limits.ts'
import { readParams, type Params } from './read-params.ts'
import { makeWorld, Refused, type World } from './world.ts'

/** A call of a bot, as it arrived. */
type BotCall = { method: string; values: Record<string, unknown>; at: number; status: number }

/** A failure of the next call of a method. */
type Trouble =
  | { cut: 'before' | 'after' }
  | {
      status: number
      description?: string
      parameters?: { retry_after?: number; migrate_to_chat_id?: number }
    }
  | { html: string }

export type BotServer = {
  /** The address of the API, without a slash at the end. */
  address: string
  token: string
  world: World
  phone: Phone
  /** Every call in order, except those cut off before they were accepted. */
  calls: BotCall[]
  /**
   * Let the next calls of a method fail: cut off `before` or `after` the server acts, or answered with an
   * error.
   */
  trouble(method: string, ...troubles: Trouble[]): void
  /** Revoke the token, as BotFather does. */
  revoke(): void
  /** Cut every open connection, including polls, like a network failure. */
  cutAll(): void
  /** How many polls are open. */
  openPolls(): number
  close(): Promise<void>
}

type Options = {
  token?: string
  clock?: Clock
  limits?: Partial<Limits>
  /** Whether the bot sees all group messages, not only those addressed to it. */
  readsGroups?: boolean
}

const REAL_CLOCK: Clock = {
  now: () => Date.now(),
  wait: (ms, signal) =>
    sleep(ms, undefined, { ref: false, ...(signal && { signal }) }).catch(() => undefined),
}

/** A token that has the form of a real one. */
const A_TOKEN = '7000000001:AAStandInTokenOfNoBotAtAll0123456789'

/**
 * A strict stand-in for Telegram's Bot API on this computer. It refuses everything unknown, and everything
 * that the real server would silently repair. It follows the documentation and Telegram's published server,
 * and was never compared with the real one.
 */
export async function startBotServer(options: Options = {}): Promise<BotServer> {
  const { token = A_TOKEN, clock = REAL_CLOCK } = options
  const world = makeWorld(clock, {
    id: Number(token.split(':')[0]),
    username: 'talaria_test_bot',
    readsGroups: options.readsGroups ?? false,
  })
  const buckets = makeBuckets({ ...TOLD_LIMITS, ...options.limits }, clock.now)
  const names = [...WITHOUT_WORLD, ...Object.keys(botMethods(world, new Map()))]
  const troubles = new Map<string, Trouble[]>()
  const calls: BotCall[] = []
  let isRevoked = false
  let webhook = ''
  let polls = 0

  async function answer(request: IncomingMessage, response: ServerResponse) {
    const url = new URL(request.url ?? '/', 'http://127.0.0.1')
    const [, file, given, rest = ''] = /^(\/file)?\/bot([^/]*)\/(.*)$/.exec(url.pathname) ?? []
    if (given === undefined || !/^\d+:[\w-]+$/.test(given)) return send(response, failure(404, 'Not Found'))
    if (given !== token || isRevoked) return send(response, failure(401, 'Unauthorized'))
    if (file !== undefined) return sendFile(response, decodeURIComponent(rest))
    // The server ignores case.
    const method = names.find(name => name.toLowerCase() === rest.toLowerCase()) ?? rest
    const params = await readParams(request, url)
    const trouble = troubles.get(method)?.shift()
    if (trouble && 'cut' in trouble && trouble.cut === 'before') return response.destroy()
    const call = { method, values: params.values, at: clock.now(), status: 0 }
    calls.push(call)
    if (trouble && 'html' in trouble) return sendHtml(response, trouble.html)
    const outcome =
      trouble && 'status' in trouble
        ? failure(trouble.status, trouble.description ?? 'Internal Server Error', trouble.parameters)
        : await run(method, params, response)
    call.status = outcome.ok ? 200 : outcome.error_code
    if (trouble && 'cut' in trouble) return response.destroy()
    return send(response, outcome)
  }

  async function run(
    method: string,
    params: Params,
    response: ServerResponse,
  ): Promise<ApiResponse<unknown>> {
    try {
      return { ok: true, result: await result(method, params, response) }
    } catch (error) {
      if (error instanceof Refused) return failure(error.code, error.message, error.parameters)
      if (error instanceof z.ZodError)
        return failure(400, `Bad Request: ${z.prettifyError(error).replaceAll('\n', ' ')}`)
      throw error
    }
  }

  async function result(
    method: string,
    { values, files }: Params,
    response: ServerResponse,
  ): Promise<unknown> {
    if (values['parse_mode'] !== undefined)
      throw new Refused(400, 'Bad Request: this stand-in takes no parse_mode: send entities')
    if (method === 'getUpdates') return getUpdates(values, response)
    if (method === 'setWebhook') {
      webhook = z.object({ url: z.string() }).parse(values).url
      world.queue.interrupt('terminated by setWebhook request')
      return true
    }
    if (method === 'deleteWebhook') {
      webhook = ''
      if (z.object({ drop_pending_updates: z.boolean().optional() }).parse(values).drop_pending_updates)
        world.queue.clear()
      return true
    }
    if (method === 'getWebhookInfo')
      return {
        url: webhook,
        has_custom_certificate: false,
        pending_update_count: world.queue.pending(),
      } satisfies WebhookInfo
    const found = Object.entries(botMethods(world, files)).find(([name]) => name === method)?.[1]
    if (!found) throw new Refused(404, 'Not Found: method not found')
    const writes = /^(?:send(?!ChatAction)|edit)/.test(method)
    const chat = typeof values['chat_id'] === 'number' && writes ? values['chat_id'] : undefined
    const wait = buckets.secondsToWait(chat)
    if (wait > 0) throw new Refused(429, `Too Many Requests: retry after ${wait}`, { retry_after: wait })
    // A file in the call can be given instead of a file name.
    const named = Object.fromEntries([...files.keys()].map(name => [name, `attach://${name}`]))
    const known = Object.keys(found.schema.shape)
    const uploads = Object.fromEntries(Object.entries(named).filter(([name]) => known.includes(name)))
    // Each method takes the output of its own schema, which types cannot express for a method looked up by
    // name.
    const args: never = found.schema.parse({ ...values, ...uploads }) as never
    return found.run(args)
  }

  async function getUpdates(values: Record<string, unknown>, response: ServerResponse) {
    const asked = POLL.parse(values)
    if (webhook !== '')
      throw new Refused(
        409,
        "Conflict: can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first",
      )
    const gone = new AbortController()
    response.on('close', () => gone.abort())
    polls++
    const polled = await world.queue.poll(compact(asked), gone.signal).finally(() => polls--)
    if (isRevoked) throw new Refused(401, 'Unauthorized')
    if ('conflict' in polled) throw new Refused(409, `Conflict: ${polled.conflict}`)
    return polled.updates
  }

  function sendFile(response: ServerResponse, path: string) {
    const file = [...world.files.values()].find(each => each.path === path)
    if (!file) return send(response, failure(404, 'Not Found'))
    response.writeHead(200, {
      'content-type': 'application/octet-stream',
      'content-length': file.bytes.length,
    })
    return response.end(file.bytes)
  }

  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      if (!response.headersSent) send(response, failure(400, `Bad Request: ${String(error)}`))
      else response.destroy()
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    token,
    world,
    phone: makePhone(world),
    calls,
    trouble: (method, ...more) => {
      troubles.set(method, [...(troubles.get(method) ?? []), ...more])
    },
    revoke: () => {
      isRevoked = true
      world.queue.interrupt('revoked')
    },
    cutAll: () => server.closeAllConnections(),
    openPolls: () => polls,
    close: () => {
      server.closeAllConnections()
      return new Promise(resolve => server.close(() => resolve()))
    },
  }
}

const POLL = z.strictObject({
  offset: z.int().optional(),
  limit: z.int().min(1).max(100).optional(),
  timeout: z.int().min(0).max(50).optional(),
  allowed_updates: z.array(z.string()).optional(),
})

/** The options without undefined fields. */
const compact = ({ offset, limit, timeout, allowed_updates }: z.output<typeof POLL>) => ({
  ...(offset !== undefined && { offset }),
  ...(limit !== undefined && { limit }),
  ...(timeout !== undefined && { timeout }),
  ...(allowed_updates && { allowed_updates }),
})

const WITHOUT_WORLD = ['getUpdates', 'setWebhook', 'deleteWebhook', 'getWebhookInfo']

const failure = (error_code: number, description: string, parameters = {}): ApiResponse<never> => ({
  ok: false,
  error_code,
  description,
  ...(Object.keys(parameters).length > 0 && { parameters }),
})

function send(response: ServerResponse, body: ApiResponse<unknown>): void {
  response.writeHead(body.ok ? 200 : body.error_code, { 'content-type': 'application/json' })
  response.end(JSON.stringify(body))
}

function sendHtml(response: ServerResponse, html: string): void {
  response.writeHead(200, { 'content-type': 'text/html' })
  response.end(html)
}
