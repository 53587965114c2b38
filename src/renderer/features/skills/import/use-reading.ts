import { useEffect, useRef, useState } from 'react'
import { readChosen, readDrop, UploadProblem, type Upload } from './upload.ts'

/** Reads dropped or chosen files. Results that arrive after unmount are ignored. */
export function useReading(onRead: (upload: Upload) => void) {
  const [reading, setReading] = useState(false)
  const [problem, setProblem] = useState('')
  const turn = useRef(0)
  useEffect(
    () => () => {
      turn.current++
    },
    [],
  )
  async function read(upload: Promise<Upload>) {
    const mine = ++turn.current
    setReading(true)
    setProblem('')
    try {
      const read = await upload
      if (mine === turn.current) onRead(read)
    } catch (error) {
      if (!(error instanceof UploadProblem)) throw error
      if (mine === turn.current) setProblem(error.message)
    } finally {
      if (mine === turn.current) setReading(false)
    }
  }
  return {
    reading,
    problem,
    drop: (data: DataTransfer) => void read(readDrop(data)),
    choose(field: HTMLInputElement) {
      if (field.files?.length) void read(readChosen(field.files))
      // Reset, so that the same file can be chosen again.
      field.value = ''
    },
  }
}
