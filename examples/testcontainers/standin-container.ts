import { type ControlClient, createControlClient } from 'standin'
import { AbstractStartedContainer, GenericContainer, type StartedTestContainer, Wait } from 'testcontainers'

const PORT = 4010
const TOKEN = 'token-of-this-container'

/** The image of Standin. Put flags of `standin serve` into `withCommand`, and files that they name into `withCopyFilesToContainer`. */
export class StandinContainer extends GenericContainer {
  constructor(image = 'standin') {
    super(image)
    this.withExposedPorts(PORT)
      // For the container your test runs on another machine, so the control API asks for a token.
      .withEnvironment({ STANDIN_CONTROL_TOKEN: TOKEN })
      // The image has a health check.
      .withWaitStrategy(Wait.forHealthCheck())
  }

  override async start(): Promise<StartedStandinContainer> {
    return new StartedStandinContainer(await super.start())
  }
}

export class StartedStandinContainer extends AbstractStartedContainer {
  /** Where your client finds the service, such as http://localhost:32768. */
  readonly url: string
  /** The control API of the sandbox `default`. */
  readonly control: ControlClient

  constructor(container: StartedTestContainer) {
    super(container)
    this.url = `http://${container.getHost()}:${container.getMappedPort(PORT)}`
    this.control = createControlClient({ url: this.url, token: TOKEN })
  }
}
