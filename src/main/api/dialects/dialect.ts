import type { ApiEvent, ApiProblem, ApiRequest } from '../api-request.ts'

/** Writes answers in a dialect. Each part of a stream is a whole event with its blank line. */
type AnswerWriter = {
  /** Return the start of a stream. */
  open(): string
  /** Return the text for one step of the answer; may be empty. */
  write(event: ApiEvent): string
  /** Return the whole answer, if nothing was streamed. All steps were written before. */
  whole(): object
}

/** An API format for talking to models over HTTP. */
export type Dialect<R extends ApiRequest = ApiRequest> = {
  read(body: unknown): R
  writer(request: R, model: string, at: number): AnswerWriter
  /** Return the body of a refusal. */
  problem(problem: ApiProblem): object
}

/** Format an event of a stream, with its name if the dialect uses names. */
export const streamEvent = (data: object | string, name?: string): string =>
  `${name === undefined ? '' : `event: ${name}\n`}data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`

/** The answer so far. */
export type Gathered = {
  text: string
  reasoning: string
  calls: Extract<ApiEvent, { type: 'call' }>['call'][]
  end: Extract<ApiEvent, { type: 'end' }> | undefined
}

/** Collect the steps of an answer. */
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

/** Return OpenAI's type of an error. */
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

/** Format a problem as OpenAI does. */
export const openAiProblem = ({ status, code, message, field }: ApiProblem) => ({
  error: { message, type: kindOf(status), param: field, code },
})
