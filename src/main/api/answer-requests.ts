import type { ServerResponse } from 'node:http'
import type { Model } from '../../shared/contract/models/model.ts'
import { isFailure, type EngineFailure, type LlmEngine } from '../models/interface/engine.ts'
import { ApiProblem, type ApiEvent, type ApiRequest } from './api-request.ts'
import { unusedByAgent } from './ask-agent.ts'
import { askModel, explainFailure } from './ask-model.ts'
import type { Dialect } from './dialects/dialect.ts'
import { chatDialect } from './dialects/write-chat.ts'
import { messagesDialect } from './dialects/write-messages.ts'
import { responsesDialect } from './dialects/write-responses.ts'
import { embedInput, type EncodeTexts } from './embed-input.ts'
import { ENCODER, findModel, listEntries } from './find-model.ts'
import type { Route } from './find-route.ts'
import { openStream, type Headers } from './send-answer.ts'
import { createLine } from './wait-in-line.ts'

/** The dependencies for answering requests. */
export type AnswerParts = {
  models: {
    list(this: void): Promise<Model[]>
    defaultId(this: void): string
    engineFor(this: void, id: string): Promise<LlmEngine | EngineFailure>
  }
  /** Ask the whole agent. */
  askAgent(this: void, request: ApiRequest, signal: AbortSignal): AsyncGenerator<ApiEvent, void, void>
  encode: EncodeTexts
  now(this: void): number
  report(this: void, error: unknown): void
}

/** A finished request. */
export type AskedOfApi = { at: number; path: string; model: string; ok: boolean; unused: readonly string[] }

/** A request, as its handlers see it. */
type Asked = {
  seen: AskedOfApi
  signal: AbortSignal
  response: ServerResponse
  stuckMs: number
  headers(this: void, unused?: readonly string[]): Headers
  /** Read the body as JSON. */
  read(this: void): Promise<unknown>
  sendJson(this: void, whole: object, unused: readonly string[]): void
}

/** Maximum concurrent answers: a local model gives one besides the user’s chats, servers give several. */
const LOCAL_PLACES = 1
const SERVER_PLACES = 4
/** How often to send something while a model is silent, in ms. */
const BEAT_MS = 10_000

/** Create the handler of admitted requests. It throws an `ApiProblem` for requests that it cannot answer. */
export function createAnswerer(parts: AnswerParts) {
  const lines = { local: createLine(LOCAL_PLACES), server: createLine(SERVER_PLACES) }

  /** Return the engine for a model name (none for the agent), and the queue of its requests. */
  async function answererOf(asked: string) {
    const { name, model } = findModel(await parts.models.list(), asked, parts.models.defaultId())
    if (!model) return { name, engine: undefined, line: lines.local }
    const engine = await parts.models.engineFor(model.id)
    if (isFailure(engine)) throw explainFailure(engine)
    return { name, engine, line: model.kind === 'server' ? lines.server : lines.local }
  }

  async function listModels({ seen, sendJson }: Asked, id?: string) {
    const entries = listEntries(await parts.models.list())
    const found = entries.find(each => each.id === id)
    if (id !== undefined && !found)
      throw new ApiProblem(404, 'model_not_found', `There is no model “${id.slice(0, 200)}”.`, 'model')
    seen.ok = true
    const ids = { first_id: entries[0]?.id ?? null, last_id: entries.at(-1)?.id ?? null }
    sendJson(found ?? { object: 'list', data: entries, has_more: false, ...ids }, [])
  }

  /** Return the engine of the default model, which answers for the agent. */
  async function defaultEngine() {
    const engine = await parts.models.engineFor(parts.models.defaultId())
    if (isFailure(engine)) throw explainFailure(engine)
    return engine
  }

  async function countTokens({ read, seen, sendJson }: Asked) {
    const { model, system, history, tools } = messagesDialect.read(await read())
    const { engine = await defaultEngine(), name } = await answererOf(model)
    Object.assign(seen, { model: name, ok: true })
    const calls = history.flatMap(each => (each.role === 'assistant' ? each.calls : []))
    const parts = [...tools, ...calls].map(each => JSON.stringify(each))
    const text = [system, ...history.map(each => each.text), ...parts].join('\n')
    sendJson({ input_tokens: engine.count(text) }, [])
  }

  async function embed({ read, seen, signal, sendJson }: Asked) {
    seen.model = ENCODER
    const { body, unused } = await embedInput(await read(), parts.encode, signal)
    Object.assign(seen, { ok: true, unused })
    sendJson(body, unused)
  }

  async function talk<R extends ApiRequest>(dialect: Dialect<R>, asked: Asked) {
    const { seen, signal, response, headers, stuckMs } = asked
    const wish = dialect.read(await asked.read())
    seen.model = wish.model.slice(0, 200)
    if (wish.history.length === 0)
      throw new ApiProblem(400, 'bad_field', 'There is no message to answer.', 'messages')
    const found = await answererOf(wish.model)
    const unused = found.engine ? wish.unused : [...wish.unused, ...unusedByAgent(wish)]
    Object.assign(seen, { model: found.name, unused })
    const writer = dialect.writer(wish, found.name, parts.now())
    const stream = wish.stream
      ? openStream(response, { headers: headers(unused), opening: writer.open(), stuckMs })
      : undefined
    const beat = setInterval(
      () => void stream?.send(writer.write({ type: 'waiting' }) || ': waiting\n\n'),
      BEAT_MS,
    )
    let leave: (() => void) | undefined
    try {
      leave = await found.line.enter(signal)
      const events = found.engine ? askModel(found.engine, wish, signal) : parts.askAgent(wish, signal)
      for await (const event of events) {
        if (event.type === 'waiting') continue
        if (event.type === 'failed') throw event.problem
        seen.ok ||= event.type === 'end'
        const written = writer.write(event)
        if (stream && written !== '') await stream.send(written, signal)
      }
      // An engine that was stopped ends without an event.
      if (signal.aborted) return void response.destroy()
      if (!seen.ok) throw new ApiProblem(502, 'no_answer', 'The model ended without an answer.')
      if (stream) response.end()
      else asked.sendJson(writer.whole(), unused)
    } catch (error) {
      if (signal.aborted || !stream?.isOpen()) throw error
      if (!(error instanceof ApiProblem)) parts.report(error)
      const problem =
        error instanceof ApiProblem
          ? error
          : new ApiProblem(500, 'internal', 'Something went wrong in Talaria.')
      response.end(writer.write({ type: 'failed', problem }))
    } finally {
      clearInterval(beat)
      leave?.()
    }
  }

  return async function answerTo(route: Route, asked: Asked): Promise<void> {
    switch (route.name) {
      case 'health':
        return asked.sendJson({ status: 'ok' }, [])
      case 'models':
        return listModels(asked)
      case 'model':
        return listModels(asked, route.id)
      case 'chat':
        return talk(chatDialect, asked)
      case 'responses':
        return talk(responsesDialect, asked)
      case 'messages':
        return talk(messagesDialect, asked)
      case 'count':
        return countTokens(asked)
      case 'embeddings':
        return embed(asked)
    }
  }
}
