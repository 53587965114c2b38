/** The address at which the page is shown; no real page has it. */
export const ADDRESS = 'https://page.invalid/'

/** A picture in place of the page's own, which are not fetched. Both light and dark text is legible on it. */
const PICTURE = Buffer.from(
  '<svg xmlns="http://www.w3.org/2000/svg" width="320" height="180"><rect width="100%" height="100%" fill="#808080"/></svg>',
).toString('base64')

/** A request of a page that waits for its answer. */
export type Paused = { requestId: string; resourceType: string; request: { url: string } }

/** Answer the requests of a page: the page itself, a grey picture for each picture, and nothing else. */
export async function answerRequest(
  ask: (method: string, params: object) => Promise<unknown>,
  { requestId, resourceType, request }: Paused,
  html: string,
): Promise<void> {
  const answer = (type: string, body: string) =>
    ask('Fetch.fulfillRequest', {
      requestId,
      responseCode: 200,
      responseHeaders: [
        { name: 'Content-Type', value: type },
        { name: 'Cache-Control', value: 'no-store' },
      ],
      body,
    })
  if (resourceType === 'Document' && request.url === ADDRESS)
    await answer('text/html; charset=utf-8', Buffer.from(html).toString('base64'))
  else if (resourceType === 'Image') await answer('image/svg+xml', PICTURE)
  else await ask('Fetch.failRequest', { requestId, errorReason: 'BlockedByClient' })
}
