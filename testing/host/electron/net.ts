/**
 * Sessions other than the default one with their `webRequest`, and `net.request` over Node's own http.
 * It states what Electron documents (docs/api/session.md, web-request.md, client-request.md), for the requests that
 * electron-updater makes: one listener each, asked before a request leaves, with the same id after a redirect.
 */
import { EventEmitter } from 'node:events'
import { request as send, type ClientRequest, type IncomingMessage } from 'node:http'

type Details = { id: number; url: string; requestHeaders: Record<string, string> }
type Answer = { cancel?: boolean; requestHeaders?: Record<string, string> }
type Asks = (details: Details, answer: (answer: Answer) => void) => void
type Hears = (details: { id: number; url: string }) => void

class WebRequest {
  beforeRequest: Asks = (_details, answer) => answer({})
  beforeSendHeaders: Asks = (_details, answer) => answer({})
  completed: Hears = () => {}
  errorOccurred: Hears = () => {}
  onBeforeRequest = (listener: Asks) => void (this.beforeRequest = listener)
  onBeforeSendHeaders = (listener: Asks) => void (this.beforeSendHeaders = listener)
  onCompleted = (listener: Hears) => void (this.completed = listener)
  onErrorOccurred = (listener: Hears) => void (this.errorOccurred = listener)
}

class PartitionSession {
  readonly webRequest = new WebRequest()
}
const sessions = new Map<string, PartitionSession>()

/** `session.fromPartition`: the same session for the same name. */
export function fromPartition(name: string): PartitionSession {
  const found = sessions.get(name) ?? new PartitionSession()
  sessions.set(name, found)
  return found
}

type RequestOptions = {
  session: PartitionSession
  protocol?: string
  hostname?: string
  port?: number
  path?: string
  method?: string
  headers?: Record<string, string>
  redirect?: string
}
let lastId = 0

class NetRequest extends EventEmitter {
  private readonly options: RequestOptions
  private sent: ClientRequest | undefined
  private isAborted = false
  constructor(options: RequestOptions) {
    super()
    this.options = options
  }
  setHeader(name: string, value: string) {
    this.options.headers = { ...this.options.headers, [name]: value }
  }
  end() {
    const { session, protocol = 'http:', hostname, port, path = '/', headers = {} } = this.options
    const url = `${protocol}//${hostname}${port ? `:${port}` : ''}${path}`
    const id = ++lastId
    const fail = (text: string) => {
      session.webRequest.errorOccurred({ id, url })
      this.emit('error', new Error(`net::${text}`))
    }
    const go = (requestHeaders: Record<string, string>) => {
      if (this.isAborted) return
      const method = this.options.method ?? 'GET'
      this.sent = send(url, { method, headers: requestHeaders }, response => this.answer(response, id, url))
      this.sent.on('error', () => fail('ERR_CONNECTION_REFUSED')).end()
    }
    const { beforeRequest, beforeSendHeaders } = session.webRequest
    const details = { id, url, requestHeaders: headers }
    queueMicrotask(() =>
      beforeRequest(details, ({ cancel }) =>
        cancel
          ? fail('ERR_BLOCKED_BY_CLIENT')
          : beforeSendHeaders(details, answer => go(answer.requestHeaders ?? headers)),
      ),
    )
  }
  abort() {
    this.isAborted = true
    this.sent?.destroy()
  }
  private answer(response: IncomingMessage, id: number, url: string) {
    const { webRequest } = this.options.session
    response.once('end', () => webRequest.completed({ id, url }))
    const { statusCode = 0, headers } = response
    if (statusCode >= 300 && statusCode < 400 && headers.location !== undefined)
      this.emit('redirect', statusCode, 'GET', new URL(headers.location, url).href, headers)
    else this.emit('response', response)
  }
}

export const net = { request: (options: RequestOptions): NetRequest => new NetRequest(options) }
