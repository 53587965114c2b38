import type { ApiEvent, ApiProblem, ApiRequest } from '../api-request.ts'

/** How answers are written in a dialect. Each part of a stream is a whole event with its blank line. */
type AnswerWriter = {
  /** What a stream begins with. */
  open(): string
  /** One step of the answer; empty where it says nothing. */
  write(event: ApiEvent): string
  /** The whole answer, where nothing was streamed; it has heard every step. */
  whole(): object
}

/** One way of speaking to models over HTTP. */
export type Dialect<R extends ApiRequest = ApiRequest> = {
  read(body: unknown): R
  writer(request: R, model: string, at: number): AnswerWriter
  /** The body of a refusal. */
  problem(problem: ApiProblem): object
}

/** An event of a stream, with its name where the dialect has such. */
export const streamEvent = (data: object | string, name?: string): string =>
  `${name === undefined ? '' : `event: ${name}\n`}data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`

/** What an answer has been so far. */
export type Gathered = {
  text: string
  reasoning: string
  calls: Extract<ApiEvent, { type: 'call' }>['call'][]
  end: Extract<ApiEvent, { type: 'end' }> | undefined
}

/** Gathers the steps of an answer. */
export function gatherAnswer(): { readonly answer: Gathered; hear(event: ApiEvent): void } {
  const answer: Gathered = { text: '', reasoning: '', calls: [], end: undefined }
  return {
    answer,
    hear(event) {
      if (event.type === 'text') answer.text += event.text
      else if (event.type === 'reasoning') answer.reasoning += event.text
      else if (event.type === 'thought') {
        answer.reasoning += event.text
        answer.text = ''
        answer.calls = []
      } else if (event.type === 'call') answer.calls.push(event.call)
      else if (event.type === 'end') answer.end = event
    },
  }
}

/** What OpenAI calls the kind of a problem. */
const kindOf = (status: number) =>
  status === 401
    ? 'authentication_error'
    : status === 404
      ? 'not_found_error'
      : status === 429
        ? 'rate_limit_error'
        : status < 500
          ? 'invalid_request_error'
          : 'server_error'

/** A problem in the words of OpenAI. */
export const openAiProblem = ({ status, code, message, field }: ApiProblem) => ({
  error: { message, type: kindOf(status), param: field, code },
})
