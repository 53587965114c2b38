import type { HostClient } from '../../src/shared/contract/index.ts'
import { aBareServer, aHost } from './a-host.ts'

/** A server with a model of this name, in the list of a host. */
async function aModel(client: HostClient, name: string) {
  const server = await aBareServer('qwen3')
  const { id } = await client['model.addServer']({ name, baseUrl: server.baseUrl, model: 'qwen3' })
  return { ...server, id, name }
}

/** A host with a mixture of two references and one answering model. */
export async function aMixture(home: string, options: Parameters<typeof aHost>[1] = {}) {
  const host = await aHost(home, options)
  const [one, two, answerer] = [
    await aModel(host.client, 'One'),
    await aModel(host.client, 'Two'),
    await aModel(host.client, 'Answerer'),
  ]
  const { id } = await host.client['model.setMixture']({
    name: 'Team',
    references: [one.id, two.id],
    aggregator: answerer.id,
  })
  one.reply({ text: 'Mind the frost.' })
  two.reply({ text: 'Water at dawn.' })
  answerer.reply({ text: 'Plant in May.' })
  return {
    host,
    one,
    two,
    answerer,
    id,
    async [Symbol.asyncDispose]() {
      await host.close()
      await Promise.all([one, two, answerer].map(server => server.close()))
    },
  }
}
