/** How long to wait for the typeface, in ms. The window shows another one rather than nothing. */
const WAIT_MS = 500

/** Load the typeface before anything is drawn: rows that change their height later would move what is read. */
export async function loadTypeface(): Promise<void> {
  // One file has all weights.
  const loading = document.fonts.load('1rem "Inter Variable"')
  await Promise.race([
    Promise.allSettled([loading]),
    new Promise(resolve => {
      setTimeout(resolve, WAIT_MS)
    }),
  ])
}
