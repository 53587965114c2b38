/** How long to wait for the typeface, in ms. After that, the window is shown in another typeface. */
const WAIT_MS = 500

/** Load the typeface before the first render: later changes of height would move the text being read. */
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
