// Loaded before a program (`--import`), this throws an uncaught error once the process gets SIGUSR2 or
// “throw”.
const fail = () => {
  throw new Error('planted in a test')
}
process.on('SIGUSR2', fail)
process.on('message', message => message === 'throw' && fail())
