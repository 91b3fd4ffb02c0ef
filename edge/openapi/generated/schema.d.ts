/** Made by `npm run openapi` of the edge's own document. Not to be edited by hand. */

export interface paths {
    "/api/v1/accounts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List accounts
         * @description The accounts at all brokerages. A brokerage that cannot be asked is left out.
         *
         *     Needs the scope `read`.
         */
        get: operations["listAccounts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/accounts/login": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Log in to a brokerage account
         * @description Stage 1, without sessionId and sms, has a code sent by SMS and answers otp 1 and a sessionId. Stage 2 repeats the fields with both and answers otp 0.
         *
         *     Needs the scope `trade`.
         */
        post: operations["logInToAccount"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/accounts/positions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * List positions
         * @description What the account holds now, as the brokerage reports it. With includeOrders each position has its orders, as the brokerage returns them: the paper brokerage returns the open ones.
         *
         *     Needs the scope `read`.
         */
        post: operations["listPositions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/accounts/daily-orders": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * List the day's orders
         * @description All orders of the day at the brokerage, oldest first, regardless of who placed them.
         *
         *     Needs the scope `read`.
         */
        post: operations["listDailyOrders"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/accounts/balance": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show the money of an account
         * @description As the brokerage reports it now. A brokerage that does not report balances causes a 400.
         *
         *     Needs the scope `read`.
         */
        get: operations["readBalance"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/accounts/reset": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Set a paper account back
         * @description Cancels its open orders and gives it the cash and positions that it began with. Only at a paper brokerage within the engine; 409 while the account has OCO groups, pending OCOs, bots or orders without an answer.
         *
         *     Needs the scope `trade`.
         */
        post: operations["resetPaperAccount"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/accounts/sell-ledger": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show what may still be sold of each symbol
         * @description What the account holds, the sells that are open, and what OCO groups, pending OCOs and bots can still sell. A part that the brokerage does not report now is null.
         *
         *     Needs the scope `read`.
         */
        get: operations["readSellLedger"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/accounts/flatten": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sell all that an account holds
         * @description Halts the account, cancels its open orders, its OCO groups and its pending OCOs, and sells what it holds at market, each symbol until its last lot is sold: an OCO group without take-profits does so, which stop-exit ends. What is not sold is named in left, with the reason. A stop-loss that is being sold continues by itself. Nothing is done if the brokerage does not report what is held (503). Trading stays halted until POST /api/v1/trading-state.
         *
         *     Needs the scope `trade`.
         */
        post: operations["flattenAccount"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/orders": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the orders that are followed
         * @description Orders of the account's OCO groups, pending OCOs and bots until nothing more can happen to them, by the id of their owner. Orders that clients placed, orders of chains too, are listed for 24 h more. An order that the brokerage has not answered is the first of its owner.
         *
         *     Needs the scope `read`.
         */
        get: operations["listOrders"];
        put?: never;
        /**
         * Place an order
         * @description When the brokerage does not answer in time the answer is 503 and the order may exist: repeat the request with the same Idempotency-Key, or look at the day's orders.
         *
         *     Needs the scope `trade`.
         */
        post: operations["placeOrder"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/orders/{orderNo}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show an order
         * @description By its number, as the brokerage reports it now. `followed` is what the service knows of it. An order that a client placed through the service is answered as it was last known if the brokerage cannot show it.
         *
         *     Needs the scope `read`.
         */
        get: operations["getOrder"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/orders/chain": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Place a chain order
         * @description It waits until its reference order is completed, and is cancelled when that is.
         *
         *     Needs the scope `trade`.
         */
        post: operations["placeChainOrder"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/orders/batch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Place a batch of orders
         * @description Answers item by item, in order. An item that fails, also a malformed one, does not stop the rest. A batch costs its number of items and is refused whole when it does not fit the quota.
         *
         *     Needs the scope `trade`.
         */
        post: operations["placeOrderBatch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/orders/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel an order
         * @description Costs nothing of the order quota.
         *
         *     Needs the scope `trade`.
         */
        post: operations["cancelOrder"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/orders/cancel/batch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a batch of orders
         * @description The message contains the number of cancelled orders; an order that several items name counts once.
         *
         *     Needs the scope `trade`.
         */
        post: operations["cancelOrderBatch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/trading-state": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show whether trading is halted
         * @description What is halted or reducing: of the installation, of you and of your accounts. Empty: nothing is halted or reducing.
         *
         *     Needs the scope `read`.
         */
        get: operations["getTradingState"];
        put?: never;
        /**
         * Halt trading, let only sells pass, or resume
         * @description reducing: no buys. halted: no orders by hand, no take-profits, and bots are switched off; stop-losses fire, unless includingStops is true. It is durable once it is answered. The strictest of several states counts. Leaving halted takes confirm; bots stay off. Take-profits that were reached during the halt are then compared with the last price.
         *
         *     Needs the scope `trade`.
         */
        post: operations["setTradingState"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/limits": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show the limits of an account
         * @description The limits that were set, what own fills of the exchange's day have realised, and how many orders counted in the last minute. Null: no limit.
         *
         *     Needs the scope `read`.
         */
        get: operations["getLimits"];
        /**
         * Set the limits of an account
         * @description Replaces all limits of the account; a limit that is left out is removed. Durable once it is answered. Once own fills of the exchange's day have lost maxDailyLoss, only sells are taken until POST /api/v1/trading-state. Orders above maxOrdersPerMinute or maxOrderValue are a 409 ACCOUNT_LIMIT. Orders of OCO groups, and sells of bots, are never limited.
         *
         *     Needs the scope `trade`.
         */
        put: operations["setLimits"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/price-alerts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the price alerts
         * @description By id. The alerts under watch, or with `status=ended` the alerts that were reached or expired in the last seven days.
         *
         *     Needs the scope `read`.
         */
        get: operations["listPriceAlerts"];
        put?: never;
        /**
         * Watch a price
         * @description The event price.reached is sent with the first price that reaches it; then the alert is over. With `repeat` it is sent once for each time that the price comes from the other side. With `until` the alert ends then, with the event price.expired. If the last price has reached it already, the event is sent immediately. At most 100 at a time (409). Notification targets send the events to a webhook, Telegram or a mailbox.
         *
         *     Needs the scope `trade`.
         */
        post: operations["createPriceAlert"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/price-alerts/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Remove a price alert
         * @description It is not sent any more. An alert that was reached or expired is a 404; it leaves the list by itself.
         *
         *     Needs the scope `trade`.
         */
        delete: operations["deletePriceAlert"];
        options?: never;
        head?: never;
        /**
         * Change a price alert
         * @description A field that is absent is unchanged; null takes note or until away. With another price or direction the alert is armed again; if the last price has reached it already, the event price.reached is sent immediately, and the `message` states this. An alert that was reached or expired cannot be changed (409).
         *
         *     Needs the scope `trade`.
         */
        patch: operations["changePriceAlert"];
        trace?: never;
    };
    "/api/v1/oco-orders/register-pending": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Register a pending OCO
         * @description When the brokerage order completes, its levels are computed from the fill price and a group is made. If it is completed already, the `message` contains the result.
         *
         *     Needs the scope `trade`.
         */
        post: operations["registerPendingOcoOrder"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/oco-orders/entries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Enter with exits
         * @description Places a buy together with the pending OCO that it becomes: once the buy has ended, a group is made of what it bought, also of a part. The answer comes with the brokerage's answer; without one in time `orderNo` is null and the order may exist. A stop entry is answered once its trigger is under watch. The entry is listed, read, changed and removed as a pending OCO; removing it cancels the buy.
         *
         *     Needs the scope `trade`.
         */
        post: operations["enterWithExits"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/oco-orders/pending": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the pending OCOs of an account
         * @description Pending OCOs that wait for their brokerage order. The list leaves out converted, failed and removed ones.
         *
         *     Needs the scope `read`.
         */
        get: operations["listPendingOcoOrders"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/oco-orders/pending/{setupId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show a pending OCO
         * @description A pending OCO that waits for its brokerage order. Once it is over this is a 404 whose message contains the outcome, as its event does.
         *
         *     Needs the scope `read`.
         */
        get: operations["getPendingOcoOrder"];
        put?: never;
        post?: never;
        /**
         * Remove a pending OCO
         * @description A brokerage order that its owner placed is not cancelled: when it completes, no group is made. The buy of an entry is cancelled; what was filled of it becomes a group once its end is known.
         *
         *     Needs the scope `trade`.
         */
        delete: operations["removePendingOcoOrder"];
        options?: never;
        head?: never;
        /**
         * Change a pending OCO
         * @description A field that is absent is unchanged; null takes dueDate, notes, stopLossTrailing, stopLossLadder or expiresAt away. A price replaces a percent and the other way round. The change is one step: all of it or none of it. A pending OCO that is over, or whose order was completed, cannot be changed (409), nor a trigger that was reached. If the last price has reached a new trigger, the `message` states that it buys immediately.
         *
         *     Needs the scope `trade`.
         */
        patch: operations["changePendingOcoOrder"];
        trace?: never;
    };
    "/api/v1/oco-orders": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the OCO rows of an account
         * @description All groups and statuses, group by group, the stop-loss first. With `limit` the rows come in parts: follow `X-Next-Cursor` until an answer lacks it. A part begins at a row and not at a number, so that no row comes twice or is left out while rows change.
         *
         *     Needs the scope `read`.
         */
        get: operations["listOcoOrders"];
        put?: never;
        /**
         * Create an OCO group
         * @description The stop-loss row and its take-profit rows are watched against the live price from here on. At most one group of an account and symbol is active at a time. Answers the stop-loss row; its id is the groupId.
         *
         *     Needs the scope `trade`.
         */
        post: operations["createOcoOrder"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/oco-orders/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show an OCO group
         * @description All rows of the group, the stop-loss first. The id of any of them is accepted.
         *
         *     Needs the scope `read`.
         */
        get: operations["getOcoOrder"];
        put?: never;
        post?: never;
        /**
         * Cancel an OCO group
         * @description The id of any row of the group is accepted. All its Active rows are cancelled, except a row whose sell is on its way to the brokerage: the message then reports it.
         *
         *     Needs the scope `trade`.
         */
        delete: operations["cancelOcoOrder"];
        options?: never;
        head?: never;
        /**
         * Change a running OCO group
         * @description The id of any row of the group is accepted. A field that is absent is unchanged; null takes dueDate or notes away. The change is one step: all of it or none of it, and the group is watched throughout. A row whose sell is on its way cannot be changed or left out (409). Answers the plan of the group as it is now.
         *
         *     Needs the scope `trade`.
         */
        patch: operations["changeOcoOrder"];
        trace?: never;
    };
    "/api/v1/oco-orders/{id}/receipt": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The receipt of a row that has fired
         * @description Why and when it fired, and the outcome of its sell: the tick, the moments of decided, durable, sent, acknowledged and filled, the attempts and the brokerage's number. A row that has not fired has no receipt (400).
         *
         *     Needs the scope `read`.
         */
        get: operations["getOcoReceipt"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/oco-orders/{id}/plan": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The plan of an OCO group
         * @description Its rows, how its stop-loss is sold and how far that is, and every order of the group. The id of any of its rows is accepted.
         *
         *     Needs the scope `read`.
         */
        get: operations["getOcoPlan"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/oco-orders/{id}/outlook": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What would happen to an OCO group now
         * @description Of each row that a price can fire: whether it would fire now, the order that would leave, and why, by the measures of the exchange, the session, the day's band, a held symbol and the trading state. Null: not known. The id of any of its rows is accepted.
         *
         *     Needs the scope `read`.
         */
        get: operations["getOcoOutlook"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/oco-orders/{id}/stop-exit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Stop the exit of an OCO group
         * @description Once a stop-loss has fired, further orders sell what an order left. This ends it: an open order is cancelled at the brokerage, no other one leaves, and the exit ends with what was filled once that end is confirmed. A group whose stop-loss is not being sold has no exit (400).
         *
         *     Needs the scope `trade`.
         */
        post: operations["stopOcoExit"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/oco-orders/{id}/release": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Release an OCO group whose symbol is held
         * @description While a symbol is held, no level of it fires. This lets the levels of one group fire again: they are immediately compared with the last live price. A group whose symbol is not held, or without a row under watch, is a 400.
         *
         *     Needs the scope `trade`.
         */
        post: operations["releaseOcoOrder"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/systems/list": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * List the systems of an account
         * @description Level bots and webhook bots in one list, with filters by type, state and time of creation.
         *
         *     Needs the scope `read`.
         */
        post: operations["listSystems"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/level-bots": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the level bots of an account
         * @description With their settings per symbol.
         *
         *     Needs the scope `read`.
         */
        get: operations["listLevelBots"];
        put?: never;
        /**
         * Create a level bot
         * @description While it is active it buys when the price has fallen by buyGap and sells at its target, per symbol.
         *
         *     Needs the scope `trade`.
         */
        post: operations["createLevelBot"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/level-bots/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show a level bot
         * @description With its settings per symbol.
         *
         *     Needs the scope `read`.
         */
        get: operations["getLevelBot"];
        /**
         * Update a level bot
         * @description The body is the whole bot; its account stays. What is left out and has open pairs still sells them.
         *
         *     Needs the scope `trade`.
         */
        put: operations["updateLevelBot"];
        post?: never;
        /**
         * Delete a level bot
         * @description Only one without open pair orders; else 409.
         *
         *     Needs the scope `trade`.
         */
        delete: operations["deleteLevelBot"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/level-bots/pair-orders/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the closed pair orders of an account's level bots, newest first
         * @description Needs the scope `read`.
         */
        get: operations["listLevelBotPairHistory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/level-bots/pair-orders/totals": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what each of an account's level bots brought and holds
         * @description Sums of all closed pairs, however old, and the open pairs by symbol. Deleted bots with closed pairs count.
         *
         *     Needs the scope `read`.
         */
        get: operations["listLevelBotTotals"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/level-bots/{id}/pair-orders": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the active pair orders of a level bot
         * @description Pairs that were bought and are not sold yet.
         *
         *     Needs the scope `read`.
         */
        get: operations["listLevelBotPairs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/level-bots/{id}/pair-orders/targets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the sell prices of the active pair orders of a level bot
         * @description By pair, the lowest live price at which it is sold.
         *
         *     Needs the scope `read`.
         */
        get: operations["listLevelBotTargets"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhook-bots": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the webhook bots of an account
         * @description With their settings per symbol and, for callers with the scope `trade`, the address that signals are sent to.
         *
         *     Needs the scope `read`.
         */
        get: operations["listWebhookBots"];
        put?: never;
        /**
         * Create a webhook bot
         * @description Returns the address that signals are sent to; anyone who knows it can trade with the bot.
         *
         *     Needs the scope `trade`.
         */
        post: operations["createWebhookBot"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhook-bots/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show a webhook bot
         * @description With its settings per symbol and, for callers with the scope `trade`, the address that signals are sent to.
         *
         *     Needs the scope `read`.
         */
        get: operations["getWebhookBot"];
        /**
         * Update a webhook bot
         * @description The body is the whole bot; its account and its webhookUrl stay.
         *
         *     Needs the scope `trade`.
         */
        put: operations["updateWebhookBot"];
        post?: never;
        /**
         * Delete a webhook bot
         * @description Only one without open pair orders; else 409.
         *
         *     Needs the scope `trade`.
         */
        delete: operations["deleteWebhookBot"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhook-bots/pair-orders/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the closed pair orders of an account's webhook bots, newest first
         * @description Needs the scope `read`.
         */
        get: operations["listWebhookBotPairHistory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhook-bots/pair-orders/totals": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what each of an account's webhook bots brought and holds
         * @description Sums of all closed pairs, however old, and the open pairs by symbol. Deleted bots with closed pairs count.
         *
         *     Needs the scope `read`.
         */
        get: operations["listWebhookBotTotals"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhook-bots/{id}/rotate-secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Give a webhook bot a new address
         * @description Signals to the old webhookUrl are refused from here on.
         *
         *     Needs the scope `trade`.
         */
        post: operations["rotateWebhookSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhook-bots/{id}/pair-orders": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the active pair orders of a webhook bot
         * @description Pairs that were bought and are not sold yet.
         *
         *     Needs the scope `read`.
         */
        get: operations["listWebhookBotPairs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/symbol-lists": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the symbol lists that you may read
         * @description Your own, what others made public, and the system's INDEX lists.
         *
         *     Needs the scope `read`.
         */
        get: operations["listSymbolLists"];
        put?: never;
        /**
         * Create a symbol list
         * @description Its symbols must be known; a symbol that is listed twice is kept once.
         *
         *     Needs the scope `trade`.
         */
        post: operations["createSymbolList"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/symbol-lists/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One symbol list
         * @description With its symbols.
         *
         *     Needs the scope `read`.
         */
        get: operations["getSymbolList"];
        /**
         * Change name, description and symbols of your symbol list
         * @description A description that is left out stays.
         *
         *     Needs the scope `trade`.
         */
        put: operations["updateSymbolList"];
        post?: never;
        /**
         * Delete your symbol list
         * @description For good.
         *
         *     Needs the scope `trade`.
         */
        delete: operations["deleteSymbolList"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/symbols": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List all symbols
         * @description A symbol that is not active any more stays in the list.
         *
         *     Needs the scope `read`.
         */
        get: operations["listSymbols"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/symbols/{symbol}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One symbol
         * @description By its code.
         *
         *     Needs the scope `read`.
         */
        get: operations["getSymbol"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/symbols/{symbol}/band": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Today's band of a symbol
         * @description The prices at which its exchange takes orders today, as far as an operator, the brokerage or an import reported them; null if none is known.
         *
         *     Needs the scope `read`.
         */
        get: operations["getBand"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/symbols/{symbol}/session": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The session of a symbol's exchange
         * @description The phase of now and the next change, by the exchange's calendar; null where no calendar is known.
         *
         *     Needs the scope `read`.
         */
        get: operations["getSession"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/symbols/{symbol}/bars": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What the price of a symbol did before
         * @description Bars of accepted prices, the newest last; a period without a price has no bar, and the last bar can be unfinished. Bars from before the kept history come from a brokerage of the caller that provides them.
         *
         *     Needs the scope `read`.
         */
        get: operations["listBars"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/list-types": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the list types
         * @description INDEX lists are the system's, CUSTOM lists are the users'.
         *
         *     Needs the scope `read`.
         */
        get: operations["listListTypes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/list-types/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One list type
         * @description By its id.
         *
         *     Needs the scope `read`.
         */
        get: operations["getListType"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/public/restrictions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the symbols with an active restriction
         * @description With the filter only restrictions of that type.
         *
         *     Needs the scope `read`.
         */
        get: operations["listRestrictedSymbols"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/public/restrictions/check/{code}/{restrictionType}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Is a symbol under a restriction now?
         * @description Looks at active restrictions only.
         *
         *     Needs the scope `read`.
         */
        get: operations["checkRestriction"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/public/restrictions/by-type/{restrictionType}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the symbols under a restriction now
         * @description With the moment since when each is.
         *
         *     Needs the scope `read`.
         */
        get: operations["listSymbolsByRestriction"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/public/restrictions/{code}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the restrictions of a symbol, active and past
         * @description Newest first.
         *
         *     Needs the scope `read`.
         */
        get: operations["listRestrictionsOfSymbol"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Follow events
         * @description Your own changes as server-sent events: each stored event once and in order, as `id`, `event` (its type) and `data`
         *     (JSON, see the webhooks section for each type). A client that reconnects sends the last `id` as `Last-Event-ID` and continues
         *     after it, over any edge and over restarts. Without it the stream begins now. `gap` reports that events after the given id
         *     are no longer stored: read the lists again. `price` events carry no id. `end` contains the reason why the stream ends (an expired
         *     token, a server that closes): connect again. A comment comes every 15 seconds.
         *
         *     Needs the scope `read`.
         */
        get: operations["followEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/prices": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Last prices
         * @description The last accepted price of each symbol with its time and age; null where none is known.
         *
         *     Needs the scope `read`.
         */
        get: operations["listLastPrices"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/conditions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Whether prices and orders flow
         * @description The feed that your rows are watched by, how long it has been silent, the way to each brokerage, and the partitions that engines share.
         *
         *     Needs the scope `read`.
         */
        get: operations["readConditions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/users": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the users
         * @description All of them, by id.
         *
         *     Needs the scope `admin`.
         */
        get: operations["listUsers"];
        put?: never;
        /**
         * Create a user
         * @description The user has no API key yet.
         *
         *     Needs the scope `admin`.
         */
        post: operations["createUser"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/users/{userId}/api-keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List a user's API keys
         * @description Oldest first, revoked ones too, without the keys themselves.
         *
         *     Needs the scope `admin`.
         */
        get: operations["listApiKeys"];
        put?: never;
        /**
         * Create an API key
         * @description The key is shown in this answer and never again: only its hash is kept. For that reason an Idempotency-Key is not honoured; a key that was lost on the way is revoked, and a new one made.
         *
         *     Needs the scope `admin`.
         */
        post: operations["createApiKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/users/{userId}/api-keys/{keyId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke an API key
         * @description All tokens that came from the key end too. Revoking it again changes nothing.
         *
         *     Needs the scope `admin`.
         */
        delete: operations["revokeApiKey"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/notification-targets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List notification targets
         * @description Also the state of each: a target that fails is tried again for a day, then it is dead until it is updated.
         *
         *     Needs the scope `read`.
         */
        get: operations["listNotificationTargets"];
        put?: never;
        /**
         * Send events somewhere
         * @description From now on the events are sent to a webhook (signed as Standard Webhooks specifies, under the event's id, at least once), to a Telegram chat or by e-mail. Webhooks must be public https addresses; redirects are not followed. A webhook's secret is shown once.
         *
         *     Needs the scope `trade`.
         */
        post: operations["createNotificationTarget"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/notification-targets/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Change a notification target
         * @description The whole of it; the kind stays, and so does a webhook's secret. A dead one is tried again.
         *
         *     Needs the scope `trade`.
         */
        put: operations["updateNotificationTarget"];
        post?: never;
        /**
         * Remove a notification target
         * @description Nothing is sent to it any more.
         *
         *     Needs the scope `trade`.
         */
        delete: operations["deleteNotificationTarget"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/notification-targets/{id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a test message
         * @description Once and now; `data` states whether it was accepted. At most 6 a minute, to all of the user's targets together.
         *
         *     Needs the scope `trade`.
         */
        post: operations["testNotificationTarget"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/symbols": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Add and change symbols
         * @description All of them or none. A symbol is never removed. With isActive false nothing new begins with it (orders, OCO groups, pending OCOs, running bots); existing ones continue.
         *
         *     Needs the scope `admin`.
         */
        post: operations["writeSymbols"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/restrictions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Add restrictions
         * @description All of them or none. Without validTo a restriction is active; a symbol has at most one active restriction of a type, and a second one is refused with 409.
         *
         *     Needs the scope `admin`.
         */
        post: operations["writeRestrictions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/restrictions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * End a restriction
         * @description Sets when it ends or ended, also for a restriction that has ended already.
         *
         *     Needs the scope `admin`.
         */
        put: operations["endRestriction"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/symbols/{symbol}/band": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Set the band of a symbol for a day
         * @description Orders that continue the sale of a stop-loss are limit orders at the floor of the day. The band counts on its day only, and takes precedence over the bands of brokerages and imports. A 503 can be repeated as it is.
         *
         *     Needs the scope `admin`.
         */
        put: operations["writeBand"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/symbols/held": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the held symbols
         * @description No level of them fires. One entry for each partition: a partition without levels of it need not hold it.
         *
         *     Needs the scope `admin`.
         */
        get: operations["listHeldSymbols"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/symbols/{symbol}/hold": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Hold a symbol
         * @description From here on no level of it fires, in any partition, until it is released; owners of groups are notified. Prices are still accepted, and deadlines pass.
         *
         *     Needs the scope `admin`.
         */
        post: operations["holdSymbol"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/symbols/{symbol}/release": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Release a held symbol
         * @description Its levels fire again: each is immediately compared with the last live price. Prices that passed during the hold fire nothing.
         *
         *     Needs the scope `admin`.
         */
        post: operations["releaseSymbol"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/corporate-actions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the corporate actions
         * @description One entry for each partition.
         *
         *     Needs the scope `admin`.
         */
        get: operations["listCorporateActions"];
        put?: never;
        /**
         * Enter a corporate action
         * @description At the beginning of exDate the levels of the symbol follow: groups, pending OCOs and bots, once each. If that day has begun, they follow immediately. The same action again is a 409.
         *
         *     Needs the scope `admin`.
         */
        post: operations["addCorporateAction"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/corporate-actions/{actionId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Remove a corporate action
         * @description Before its exDate only: from then on levels follow it.
         *
         *     Needs the scope `admin`.
         */
        delete: operations["removeCorporateAction"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/symbols/{symbol}/rename": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Rename a symbol
         * @description After the last session under the former name. Levels, pending OCOs and bots of the symbol are watched under the new name from here on, and prices under the former name reach none of them. The same request again changes nothing; a 503 can be repeated as it is.
         *
         *     Needs the scope `admin`.
         */
        put: operations["renameSymbol"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/trading-state": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Halt trading of all users, let only sells pass, or resume
         * @description As POST /api/v1/trading-state, for everybody. A partition that does not answer is named with 503: repeat the request.
         *
         *     Needs the scope `admin`.
         */
        post: operations["setInstallationState"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/ticks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send ticks
         * @description They go out on the bus like any publisher's, in their order. A tick that is older than the last one of its symbol is ignored by the engine.
         *
         *     Needs the scope `admin`.
         */
        post: operations["publishTicks"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/ticks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send ticks into a simulated market
         * @description To see at a paper account what a price sets off. Refused (403) unless prices are simulated; the next price of the simulation follows within seconds.
         *
         *     Needs the scope `trade`.
         */
        post: operations["publishSimulatedTicks"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/outbox": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the orders that have no outcome yet
         * @description Of all users, in the order of their commits, with their state and the reason for it.
         *
         *     Needs the scope `admin`.
         */
        get: operations["listOutbox"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/quarantine": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what waits for a person's decision
         * @description Orders that may exist at a brokerage that cannot confirm it (type order), groups, setups, bots and token families that a fault stopped (type actor), and orders that their brokerage took and does not know any more (type doubt).
         *
         *     Needs the scope `admin`.
         */
        get: operations["listQuarantine"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/quarantine/{id}/release": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Release an order or an actor
         * @description For an order state the outcome: resend (no order exists), placed (it exists under orderNo) or refused (none exists and none will be sent). An order that is being settled can be released too. An actor needs no body: it tries again with all that came since; if it fails once more it stays in quarantine, and the answer is 409. For an order in doubt state what was filled of it in all (filled), or that nothing more was (notFilled); what follows is as after a confirmed end.
         *
         *     Needs the scope `admin`.
         */
        post: operations["releaseQuarantined"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/backup": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make a backup
         * @description Copies every partition, as it is at one moment, to a new folder on the machine of its engine, below BACKUP_DIR. Repeated with the same folder, the request continues the copy and returns its progress. The copy holds the key that signs access tokens: keep it as safe as the data folder.
         *
         *     Needs the scope `admin`.
         */
        post: operations["createBackup"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/brokerages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the brokerages and what hangs on each
         * @description Of all users and partitions. An engine does not start without a brokerage of which anything is counted here.
         *
         *     Needs the scope `admin`.
         */
        get: operations["listBrokerageUse"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/brokerages/{code}/retire": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Give a brokerage up
         * @description Cancels every OCO group of the brokerage as its owner would, removes its pending OCOs, switches its bots off and deletes those without open pairs. The answer contains the counts, and names what could not be cancelled: sells on their way, orders without an outcome, open pairs, what is in quarantine. Repeated, the request continues with what is left. Once nothing blocking is left, BROKERAGES_FILE may leave the brokerage out.
         *
         *     Needs the scope `admin`.
         */
        post: operations["retireBrokerage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/cluster": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the state of the partitions that engines share
         * @description The leader of each, the copies of other engines, the engines that are there and the nats-servers of the log, as the engine that answers first sees them, up to a second old. `data` is null if engines share no partitions.
         *
         *     Needs the scope `admin`.
         */
        get: operations["readCluster"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the figures of edge and engine
         * @description In the text format of Prometheus: requests of this edge, and ticks, orders and watches of each partition.
         *
         *     Needs the scope `admin`.
         */
        get: operations["readMetrics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/{secret}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a signal to a webhook bot
         * @description The address is the bot's webhookUrl. The body is JSON, also when it is sent as text/plain.
         */
        post: operations["sendSignal"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/oauth/token": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Exchange an API key or a refresh token for a token set
         * @description A refresh token is good for one use: using it again revokes every token that came from the same exchange. Client libraries of OAuth send the body as a form and may add fields; those are ignored. A machine that holds an API key (a Prometheus that scrapes) may use client_credentials and gets no refresh token.
         */
        post: operations["exchangeToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/oauth/revoke": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Revoke a token and all that came from the same exchange
         * @description The holder of a token gives it up (RFC 7009): its refresh token and every access token of the same exchange end at once. Machines that share an API key by client_credentials share these tokens. A token that is unknown or has ended is answered 200 too.
         */
        post: operations["revokeToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface webhooks {
    "oco.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * An OCO group was made, and its rows are under watch
         * @description The event `oco.created`. It comes in a stream's `data` and as a notification's body.
         */
        post: operations["on_oco.created"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "oco.changed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A running group was changed in place: all of its rows as they are now
         * @description The event `oco.changed`. It comes in a stream's `data` and as a notification's body.
         */
        post: operations["on_oco.changed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "oco.triggered": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A row's level was reached and its sell was taken by the brokerage
         * @description The event `oco.triggered`. It comes in a stream's `data` and as a notification's body.
         */
        post: operations["on_oco.triggered"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "oco.triggerFailed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A level was reached and nothing could be sold; the message contains the reason
         * @description The event `oco.triggerFailed`. It comes in a stream's `data` and as a notification's body.
         */
        post: operations["on_oco.triggerFailed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "oco.cancelled": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A row is no longer watched: cancelled, due, or its stop-loss has fired
         * @description The event `oco.cancelled`. It comes in a stream's `data` and as a notification's body.
         */
        post: operations["on_oco.cancelled"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "oco.adjusted": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A corporate action changed a group or holds it, or it has a new symbol
         * @description The event `oco.adjusted`. It comes in a stream's `data` and as a notification's body.
         */
        post: operations["on_oco.adjusted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "oco.trailingActivated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A price reached the activation of a stop-loss that trails: prices count now
         * @description The event `oco.trailingActivated`. It comes in a stream's `data` and as a notification's body.
         */
        post: operations["on_oco.trailingActivated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "oco.stopRaised": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A stop-loss that trails was raised; at most once a minute for each group
         * @description The event `oco.stopRaised`. It comes in a stream's `data` and as a notification's body.
         */
        post: operations["on_oco.stopRaised"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "oco.trailingUncertain": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Prices were lost that may have raised a stop-loss that trails: it stays where it is; once for each hole and group
         * @description The event `oco.trailingUncertain`. It comes in a stream's `data` and as a notification's body.
         */
        post: operations["on_oco.trailingUncertain"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "oco.rearmed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A take-profit is watched again: the brokerage sold nothing of the stop-loss in the end
         * @description The event `oco.rearmed`. It comes in a stream's `data` and as a notification's body.
         */
        post: operations["on_oco.rearmed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "oco.reduced": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A take-profit sells less: its stop-loss sold lots after the brokerage had reported that it sold none
         * @description The event `oco.reduced`. It comes in a stream's `data` and as a notification's body.
         */
        post: operations["on_oco.reduced"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "oco.sentReduced": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A refused stop-loss was sent once more, with the lots that the take-profits left; the message contains the reason
         * @description The event `oco.sentReduced`. It comes in a stream's `data` and as a notification's body.
         */
        post: operations["on_oco.sentReduced"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "oco.sellIncomplete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The brokerage ended a row's sell after a part of it was filled
         * @description The event `oco.sellIncomplete`. It comes in a stream's `data` and as a notification's body.
         */
        post: operations["on_oco.sellIncomplete"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "oco.exitContinues": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The order of a stop-loss ended before all of it was sold, or did not reach the brokerage; further orders sell the rest
         * @description The event `oco.exitContinues`. It comes in a stream's `data` and as a notification's body.
         */
        post: operations["on_oco.exitContinues"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "oco.exitCompleted": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * All of a stop-loss is sold that needed more than one order
         * @description The event `oco.exitCompleted`. It comes in a stream's `data` and as a notification's body.
         */
        post: operations["on_oco.exitCompleted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "oco.exitStopped": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The owner stopped the exit of a stop-loss; no more of it is sold
         * @description The event `oco.exitStopped`. It comes in a stream's `data` and as a notification's body.
         */
        post: operations["on_oco.exitStopped"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "oco.lateFill": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * An entry bought lots after the stop-loss of its group had fired: they are sold too
         * @description The event `oco.lateFill`. It comes in a stream's `data` and as a notification's body.
         */
        post: operations["on_oco.lateFill"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "oco.waitsForSession": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The market does not take the order of a row now: it is sent when the market opens next
         * @description The event `oco.waitsForSession`. It comes in a stream's `data` and as a notification's body.
         */
        post: operations["on_oco.waitsForSession"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "oco.restricted": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The measures of the exchange on a symbol of active groups changed; the message states their effects on a sell
         * @description The event `oco.restricted`. It comes in a stream's `data` and as a notification's body.
         */
        post: operations["on_oco.restricted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "oco.unrestricted": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A symbol of active groups is under no measure with an effect any more
         * @description The event `oco.unrestricted`. It comes in a stream's `data` and as a notification's body.
         */
        post: operations["on_oco.unrestricted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "setup.registered": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A pending OCO waits for its buy order
         * @description The event `setup.registered`. It comes in a stream's `data` and as a notification's body.
         */
        post: operations["on_setup.registered"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "setup.changed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The plan of a pending OCO was changed by its owner: as it is now
         * @description The event `setup.changed`. It comes in a stream's `data` and as a notification's body.
         */
        post: operations["on_setup.changed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "setup.converted": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A pending OCO's buy order was completed and its group was made
         * @description The event `setup.converted`. It comes in a stream's `data` and as a notification's body.
         */
        post: operations["on_setup.converted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "setup.orderLost": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The brokerage does not know a pending OCO's buy order any more: it waits until the order is found or it is removed
         * @description The event `setup.orderLost`. It comes in a stream's `data` and as a notification's body.
         */
        post: operations["on_setup.orderLost"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "setup.orderFound": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The brokerage knows a pending OCO's buy order again
         * @description The event `setup.orderFound`. It comes in a stream's `data` and as a notification's body.
         */
        post: operations["on_setup.orderFound"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "setup.unprotected": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A part of an entry is filled and no group could be made of it yet; the next fill and the end of the buy try again
         * @description The event `setup.unprotected`. It comes in a stream's `data` and as a notification's body.
         */
        post: operations["on_setup.unprotected"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "setup.triggered": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The price reached the trigger of a stop entry: its buy is sent
         * @description The event `setup.triggered`. It comes in a stream's `data` and as a notification's body.
         */
        post: operations["on_setup.triggered"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "setup.cancelRefused": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The brokerage refuses to cancel the buy of an entry that is to end: it stays open, and the cancel is repeated
         * @description The event `setup.cancelRefused`. It comes in a stream's `data` and as a notification's body.
         */
        post: operations["on_setup.cancelRefused"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "setup.conversionFailed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A pending OCO's buy order was completed and no group could be made
         * @description The event `setup.conversionFailed`. It comes in a stream's `data` and as a notification's body.
         */
        post: operations["on_setup.conversionFailed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "setup.entryRefused": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The buy of an entry was refused, or not sent: it does not exist
         * @description The event `setup.entryRefused`. It comes in a stream's `data` and as a notification's body.
         */
        post: operations["on_setup.entryRefused"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "setup.removed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A pending OCO is gone: its buy order ended unfilled, or its owner removed it
         * @description The event `setup.removed`. It comes in a stream's `data` and as a notification's body.
         */
        post: operations["on_setup.removed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "bot.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A bot was made
         * @description The event `bot.created`. It comes in a stream's `data` and as a notification's body.
         */
        post: operations["on_bot.created"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "bot.updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A bot was changed
         * @description The event `bot.updated`. It comes in a stream's `data` and as a notification's body.
         */
        post: operations["on_bot.updated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "bot.removed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A bot was ended by its owner
         * @description The event `bot.removed`. It comes in a stream's `data` and as a notification's body.
         */
        post: operations["on_bot.removed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "bot.secretRotated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A webhook bot has a new address
         * @description The event `bot.secretRotated`. It comes in a stream's `data` and as a notification's body.
         */
        post: operations["on_bot.secretRotated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "pair.leftOut": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A detail with an open pair was left out of a bot; the pair is still sold at its signal
         * @description The event `pair.leftOut`. It comes in a stream's `data` and as a notification's body.
         */
        post: operations["on_pair.leftOut"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "pair.bought": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A pair's buy was completed
         * @description The event `pair.bought`. It comes in a stream's `data` and as a notification's body.
         */
        post: operations["on_pair.bought"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "pair.buyFailed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A pair's buy failed; nothing was bought
         * @description The event `pair.buyFailed`. It comes in a stream's `data` and as a notification's body.
         */
        post: operations["on_pair.buyFailed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "pair.sellFailed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A pair's sell failed; the pair stays open
         * @description The event `pair.sellFailed`. It comes in a stream's `data` and as a notification's body.
         */
        post: operations["on_pair.sellFailed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "pair.sold": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A pair's sell was completed
         * @description The event `pair.sold`. It comes in a stream's `data` and as a notification's body.
         */
        post: operations["on_pair.sold"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "signal.ignored": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A signal matched and nothing was ordered; the message contains the reason
         * @description The event `signal.ignored`. It comes in a stream's `data` and as a notification's body.
         */
        post: operations["on_signal.ignored"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "signal.deferred": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A sell signal came while the pair's buy was on its way; it is done after it
         * @description The event `signal.deferred`. It comes in a stream's `data` and as a notification's body.
         */
        post: operations["on_signal.deferred"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "signal.unmatched": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A signal matched no detail of the bot; the message states the difference
         * @description The event `signal.unmatched`. It comes in a stream's `data` and as a notification's body.
         */
        post: operations["on_signal.unmatched"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "signal.rejected": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A request to the address of a bot is not a signal; the message contains the reason
         * @description The event `signal.rejected`. It comes in a stream's `data` and as a notification's body.
         */
        post: operations["on_signal.rejected"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "order.placed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * An order of the user's was taken by the brokerage
         * @description The event `order.placed`. It comes in a stream's `data` and as a notification's body.
         */
        post: operations["on_order.placed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "order.refused": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * An order of the user's was refused; none exists
         * @description The event `order.refused`. It comes in a stream's `data` and as a notification's body.
         */
        post: operations["on_order.refused"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "order.cancelled": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The brokerage took the user's request to cancel an order
         * @description The event `order.cancelled`. It comes in a stream's `data` and as a notification's body.
         */
        post: operations["on_order.cancelled"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "order.postponed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A level was reached and the market does not take the order now; no order exists yet, and it is tried again
         * @description The event `order.postponed`. It comes in a stream's `data` and as a notification's body.
         */
        post: operations["on_order.postponed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "order.quarantined": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The outcome of an order is not known: a person must look at the brokerage
         * @description The event `order.quarantined`. It comes in a stream's `data` and as a notification's body.
         */
        post: operations["on_order.quarantined"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "order.inDoubt": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The brokerage does not know an order that it took: nothing is sold again until an operator decides, or it is found
         * @description The event `order.inDoubt`. It comes in a stream's `data` and as a notification's body.
         */
        post: operations["on_order.inDoubt"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "order.settled": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * An operator entered the outcome of an order in doubt: `filledQuantity` of it was filled
         * @description The event `order.settled`. It comes in a stream's `data` and as a notification's body.
         */
        post: operations["on_order.settled"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "order.found": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The brokerage knows an order again that was in doubt
         * @description The event `order.found`. It comes in a stream's `data` and as a notification's body.
         */
        post: operations["on_order.found"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "order.replaced": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The brokerage replaced an order: it is followed under its new number
         * @description The event `order.replaced`. It comes in a stream's `data` and as a notification's body.
         */
        post: operations["on_order.replaced"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "order.overfilled": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The brokerage filled more of an order than was asked for
         * @description The event `order.overfilled`. It comes in a stream's `data` and as a notification's body.
         */
        post: operations["on_order.overfilled"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "order.corrected": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The brokerage took fills of an order back; nothing was changed here
         * @description The event `order.corrected`. It comes in a stream's `data` and as a notification's body.
         */
        post: operations["on_order.corrected"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "alarm.filledAfterEnd": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The brokerage filled lots of an order after it had reported its end
         * @description The event `alarm.filledAfterEnd`. It comes in a stream's `data` and as a notification's body.
         */
        post: operations["on_alarm.filledAfterEnd"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "alarm.exitStopped": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The exit of a stop-loss ended before all of it was sold: what is left is not protected; the message contains the reason
         * @description The event `alarm.exitStopped`. It comes in a stream's `data` and as a notification's body.
         */
        post: operations["on_alarm.exitStopped"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "alarm.quarantined": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A fault of the service stopped a group, pending OCO or bot: it does nothing until an operator releases it
         * @description The event `alarm.quarantined`. It comes in a stream's `data` and as a notification's body.
         */
        post: operations["on_alarm.quarantined"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "alarm.released": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * An operator released what a fault had stopped: it continues
         * @description The event `alarm.released`. It comes in a stream's `data` and as a notification's body.
         */
        post: operations["on_alarm.released"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "alarm.ticksLost": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Prices were lost to the service: look at the levels that they may have passed; the message states how
         * @description The event `alarm.ticksLost`. It comes in a stream's `data` and as a notification's body.
         */
        post: operations["on_alarm.ticksLost"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "alarm.clockOff": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The service's clock is wrong: it may refuse right prices until it is set; then it reads them back
         * @description The event `alarm.clockOff`. It comes in a stream's `data` and as a notification's body.
         */
        post: operations["on_alarm.clockOff"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "alarm.pricesSilent": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * No price counts of symbols that active groups watch; the message contains the reason
         * @description The event `alarm.pricesSilent`. It comes in a stream's `data` and as a notification's body.
         */
        post: operations["on_alarm.pricesSilent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "alarm.measure": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A measure of the exchange keeps a triggered sell back, or the sell leaves although it may refuse it; the message contains the reason
         * @description The event `alarm.measure`. It comes in a stream's `data` and as a notification's body.
         */
        post: operations["on_alarm.measure"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "symbol.held": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * No level of a symbol fires until it is released; the message contains the reason
         * @description The event `symbol.held`. It comes in a stream's `data` and as a notification's body.
         */
        post: operations["on_symbol.held"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "symbol.released": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The levels of a held symbol fire again
         * @description The event `symbol.released`. It comes in a stream's `data` and as a notification's body.
         */
        post: operations["on_symbol.released"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "trading.stateChanged": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Trading was halted, only reduces positions, or was resumed; the reason states why
         * @description The event `trading.stateChanged`. It comes in a stream's `data` and as a notification's body.
         */
        post: operations["on_trading.stateChanged"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "ledger.foreignSell": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Lots of an account were sold that no order of the service sold
         * @description The event `ledger.foreignSell`. It comes in a stream's `data` and as a notification's body.
         */
        post: operations["on_ledger.foreignSell"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "price.reached": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A price alert was reached; it is over, unless it repeats
         * @description The event `price.reached`. It comes in a stream's `data` and as a notification's body.
         */
        post: operations["on_price.reached"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "price.expired": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A price alert ended at its time
         * @description The event `price.expired`. It comes in a stream's `data` and as a notification's body.
         */
        post: operations["on_price.expired"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "limits.changed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The limits of an account were set; null: no limit
         * @description The event `limits.changed`. It comes in a stream's `data` and as a notification's body.
         */
        post: operations["on_limits.changed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "alarm.lossLimit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Own fills of the day have lost what the limit of an account allows: only sells are taken until a person resumes trading
         * @description The event `alarm.lossLimit`. It comes in a stream's `data` and as a notification's body.
         */
        post: operations["on_alarm.lossLimit"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "account.flattened": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Flatten is done with an account: what it sells, and what is left; the message states what is not sold, and why
         * @description The event `account.flattened`. It comes in a stream's `data` and as a notification's body.
         */
        post: operations["on_account.flattened"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "alarm.soldAfterEnd": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The brokerage sold more of a row's order than it had reported when the order ended: the group may sell more than is left
         * @description The event `alarm.soldAfterEnd`. It comes in a stream's `data` and as a notification's body.
         */
        post: operations["on_alarm.soldAfterEnd"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "token.familyRevoked": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Access of an API key's tokens was ended
         * @description The event `token.familyRevoked`. It comes in a stream's `data` and as a notification's body.
         */
        post: operations["on_token.familyRevoked"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    price: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The last price of a symbol that was asked for has changed
         * @description The event `price`. It comes in a stream only.
         */
        post: operations["on_price"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    gap: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Events after the given Last-Event-ID are no longer stored: read the lists again, the stream continues from here
         * @description The event `gap`. It comes in a stream only.
         */
        post: operations["on_gap"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    end: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The stream ends now; the message contains the reason. Nothing is lost: continue with Last-Event-ID
         * @description The event `end`. It comes in a stream only.
         */
        post: operations["on_end"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface components {
    schemas: {
        OcoRow: {
            id: number;
            groupId: number;
            userId: number;
            accountNumber: string;
            symbol: string;
            /**
             * @description 1 = TakeProfit, 2 = StopLoss
             * @enum {number}
             */
            orderType: 1 | 2;
            quantity: number;
            price: number;
            /**
             * @description 1 = Active, 2 = Triggered, 3 = TriggerFailed, 4 = Cancelled
             * @enum {number}
             */
            status: 1 | 2 | 3 | 4;
            triggeredPrice: number | null;
            triggeredDate: string | null;
            dueDate: string | null;
            notes: string | null;
            triggerErrorMessage: string | null;
            createdDate: string;
            updatedDate: string | null;
        };
        MeasureEffects: {
            /** @constant */
            noMarket?: true;
            /** @constant */
            noCancel?: true;
            /** @constant */
            noReduce?: true;
            /** @constant */
            noShort?: true;
            /** @constant */
            noCredit?: true;
            /** @constant */
            grossSettlement?: true;
            /** @constant */
            auctionOnly?: true;
            /** @constant */
            noOpenClose?: true;
            /** @constant */
            halted?: true;
            /** @constant */
            noChannel?: true;
            /** @description The largest value of one order, in currency units; null: not known */
            valueCap?: number | null;
        };
        PendingOco: {
            setupId: number;
            brokerageCode: string;
            accountNumber: string;
            /** @description The buy order at the brokerage; null: the order belongs to an entry, and the brokerage has not answered it */
            brokerOrderNo: string | null;
            symbol: string;
            stopLossQuantity: number;
            stopLossPercent: number | null;
            stopLossPrice: number | null;
            takeProfitItems: {
                quantity: number;
                percent: number | null;
                price: number | null;
            }[];
            dueDate: string | null;
            notes: string | null;
            /** @description How and when the stop-loss will be sold; null: nothing was given */
            exit: {
                /** @description null: as the installation is set at the conversion (EXIT_POLICY) */
                stopLoss: ("untilSold" | "once") | null;
                at: string | null;
                beforeCloseMinutes: number | null;
            } | null;
            stopLossTrailing: {
                /** @description So much under the high; or distancePercent */
                distance?: number;
                /** @description So many percent under the high, with at most two decimals; or distance */
                distancePercent?: number;
                /** @description The stop-loss stays where it is until a price reaches this */
                activationPrice?: number;
                /** @description The high counts in whole steps above the first one */
                step?: number;
                /** @description 2 (default): a high is the lower one of two prices in a row, so that one bad print raises nothing */
                confirmTicks?: number;
            } | null;
            stopLossLadder: {
                /** @description Once so many are sold whole */
                afterTakeProfits: number;
                /**
                 * @description To where the stop-loss rises then
                 * @enum {string}
                 */
                to: "entry" | "previousTakeProfit";
                /** @description Added to that price; may be negative */
                offset?: number;
            }[] | null;
            /** @description True: the quantities of the group will shrink if lots are sold elsewhere */
            followPosition: boolean;
            createdDate: string;
            /** @description 1 for a new setup; it rises with every change of it; the `ETag` */
            version: number;
            /** @description The buy, if the pending OCO placed it itself; null: its owner did */
            entry: {
                orderType: number;
                /** @description 0 for any other than a limit order */
                price: number;
                /** @description Of a stop entry */
                triggerPrice: number | null;
                /** @description The price that sent its buy; null: none did */
                triggeredPrice: number | null;
                expiresAt: string | null;
                quantity: number;
                filledQuantity: number;
                averagePrice: number | null;
                protectPartial: boolean;
                /** @description The group of the lots that are filled so far; null: none */
                groupId: number | null;
                /** @description True: it is being cancelled at the brokerage */
                isEnding: boolean;
            } | null;
            /** @description Set while the brokerage does not know the buy order any more or refuses to cancel it, or a part of an entry is not protected */
            orderMessage: string | null;
        };
        LevelBot: {
            id: number;
            name: string;
            accountNumber: string;
            isActive: boolean;
            /** @description Whether the service watches for it now */
            isRunning: boolean;
            levelBotDetails: components["schemas"]["LevelBotDetail"][];
            createdDate: string;
            updatedDate: string | null;
        };
        LevelBotDetail: {
            symbol: string;
            quantity: number;
            /** @description 0 = no limit */
            maxBuyPrice: number;
            minBuyPrice: number;
            maxSellPrice: number;
            minSellPrice: number;
            buyGap: number;
            sellGap: number;
            targetProfit: number;
            profit: number;
            /**
             * @description Absent: every price counts for the anchor
             * @constant
             */
            confirmTicks?: 2;
        };
        WebhookBotDetail: {
            symbol: string;
            quantity: number;
            /** @description 0 = no limit */
            maxBuyPrice: number;
            minBuyPrice: number;
            maxSellPrice: number;
            minSellPrice: number;
            algoName: string;
            period: string;
        };
        LevelBotPair: {
            id: number;
            systemId: number;
            symbol: string;
            buyQuantity: number;
            /**
             * @description 0 = None, 1 = Sent, 2 = Completed
             * @enum {number}
             */
            buyStatus: 0 | 1 | 2;
            buyOrderNo: string | null;
            buyOrderDate: string | null;
            /** @description Average price of the buy; null until it is completed */
            buyPrice: number | null;
            sellQuantity: number;
            /**
             * @description 0 = None, 1 = Sent, 2 = Completed
             * @enum {number}
             */
            sellStatus: 0 | 1 | 2;
            sellOrderNo: string | null;
            sellOrderDate: string | null;
            description: string;
        };
        SoldPair: {
            id: number;
            systemId: number;
            symbol: string;
            buyQuantity: number;
            /**
             * @description 0 = None, 1 = Sent, 2 = Completed
             * @enum {number}
             */
            buyStatus: 0 | 1 | 2;
            buyOrderNo: string | null;
            buyOrderDate: string | null;
            /** @description Average price of the buy; null until it is completed */
            buyPrice: number | null;
            sellQuantity: number;
            /**
             * @description 0 = None, 1 = Sent, 2 = Completed
             * @enum {number}
             */
            sellStatus: 0 | 1 | 2;
            sellOrderNo: string | null;
            sellOrderDate: string | null;
            description: string;
            /** @description Average price of the sells; null if the brokerage gave none, absent in events of older versions */
            sellPrice?: number | null;
        };
        /**
         * @description See docs/errors.md
         * @enum {string}
         */
        FieldFaultCode: "REQUIRED" | "WRONG_TYPE" | "OUT_OF_RANGE" | "WRONG_FORMAT" | "NOT_A_CHOICE" | "UNKNOWN_FIELD" | "RULE";
        FieldFault: {
            code: components["schemas"]["FieldFaultCode"];
            /** @description As a path; null: the request as a whole */
            field: string | null;
            /** @description For people to read */
            message: string;
        };
        Account: {
            /** @description Identifies the account in other operations */
            accountNumber: string;
            /** @description Account number at the brokerage */
            number: string;
            name: string;
            brokerageCode: string;
            brokerageName: string;
            isActive: boolean;
            isDefault: boolean;
        };
        Position: {
            symbol: string;
            quantity: number;
            availableQuantity: number;
            averagePrice: number;
            lastPrice: number | null;
            profit: number | null;
            orders?: components["schemas"]["DailyOrder"][];
        };
        DailyOrder: {
            symbol: string;
            quantity: number;
            /**
             * @description 1 = Buy, 2 = Sell
             * @enum {integer}
             */
            buySell: 1 | 2;
            orderNo: string;
            /**
             * @description 0 = Waiting, 1 = Open, 2 = Completed, 3 = Cancelled, 4 = Rejected
             * @enum {integer}
             */
            orderStatus: 0 | 1 | 2 | 3 | 4;
            accountNumber: string;
            /**
             * @description 1 = Market, 2 = Limit
             * @enum {integer}
             */
            orderType: 1 | 2;
            price: number;
            filledQuantity: number;
            /** @description 0 until something filled */
            averagePrice: number;
            clientOrderId: string | null;
            createdDate: string;
            updatedDate: string | null;
        };
        Balance: {
            /** @description Negative where the account owes money */
            cash: number;
            /** @description What may be bought now */
            buyingPower: number;
            /** @description Cash, and positions at their last prices */
            equity: number;
            currency: string;
        };
        AccountReset: {
            brokerageCode: string;
            accountNumber: string;
            /**
             * @description Required, as what the account has traded is gone
             * @constant
             */
            confirm: "RESET";
        };
        SellLedgerRow: {
            symbol: string;
            /** @description Lots that the brokerage reports as held */
            held: number | null;
            /** @description When the brokerage reported it */
            heldAsOf: string | null;
            /** @description Lots of the day's sells that can still be filled, regardless of who placed them */
            openSells: number | null;
            /** @description Lots that this service may still sell by itself */
            committed: {
                /** @description Stop-loss quantities of active OCO groups */
                groups: number;
                /** @description Lots that open pairs of bots bought and have not begun to sell */
                bots: number;
                /** @description Stop-loss quantities of pending OCOs */
                entries: number;
            };
            /** @description held less openSells and all that is committed; negative when too much is */
            worstCase: number | null;
            overcommitted: boolean | null;
        };
        Flattened: {
            /** @description The market sells that leave now */
            orders: {
                symbol: string;
                /** @description Lots */
                quantity: number;
                clientOrderId: string;
            }[];
            /** @description What is held and not sold by them, and why */
            left: {
                symbol: string;
                /** @description Lots */
                quantity: number;
                reason: string;
            }[];
            cancelledOrders: number;
            cancelledGroups: number;
            removedSetups: number;
        };
        Flatten: {
            brokerageCode: string;
            accountNumber: string;
            /** @description Why; it is shown wherever something is refused */
            reason: string;
            /**
             * @description Required, as everything is sold
             * @constant
             */
            confirm: "FLATTEN";
        };
        FollowedOrder: {
            /** @description The number under which the brokerage has it now; null: it did not answer yet */
            orderNo: string | null;
            /** @description All its numbers, the newest last: a replaced order has several */
            orderNumbers: string[];
            clientOrderId: string | null;
            symbol: string;
            /**
             * @description 1 = Buy, 2 = Sell
             * @enum {integer}
             */
            buySell: 1 | 2;
            /** @description Lots asked for; 0: not known */
            quantity: number;
            filledQuantity: number;
            /** @description Of what was filled; null: nothing, or not known */
            averagePrice: number | null;
            /**
             * @description unanswered: it has its name and the brokerage did not answer yet; open: the brokerage works it; unclear: its report contradicts itself and is asked for again; ending: an end is reported and not confirmed; ended: confirmed, a late fill still counts; inDoubt: the brokerage does not know it; settled: nothing more is asked (a client's order is kept for 24 h then)
             * @enum {string}
             */
            state: "unanswered" | "open" | "unclear" | "ending" | "ended" | "inDoubt" | "settled";
            /** @description When it came into this state */
            since: string;
            /** @description What is wrong with it; null: nothing */
            message: string | null;
            owner: {
                /** @enum {string} */
                type: "group" | "pendingOco" | "bot" | "client";
                /** @description groupId, setupId or systemId; of a client's order a number of its own */
                id: number;
            };
        };
        Order: {
            symbol: string;
            quantity: number;
            /**
             * @description 1 = Buy, 2 = Sell
             * @enum {integer}
             */
            buySell: 1 | 2;
            orderNo: string;
            /**
             * @description 0 = Waiting, 1 = Open, 2 = Completed, 3 = Cancelled, 4 = Rejected
             * @enum {integer}
             */
            orderStatus: 0 | 1 | 2 | 3 | 4;
            accountNumber: string;
            /**
             * @description 1 = Market, 2 = Limit
             * @enum {integer}
             */
            orderType: 1 | 2;
            price: number;
            filledQuantity: number;
            /** @description 0 until something filled */
            averagePrice: number;
            clientOrderId: string | null;
            createdDate: string;
            updatedDate: string | null;
            /** @description What the service knows of the order; null for an order that it does not follow */
            followed: components["schemas"]["FollowedOrder"] | null;
        };
        OrderPlacement: {
            symbol: string;
            quantity: number;
            /**
             * @description 1 = Buy, 2 = Sell
             * @enum {integer}
             */
            buySell: 1 | 2;
            orderNo: string;
            /**
             * @description 0 = Waiting, 1 = Open, 2 = Completed, 3 = Cancelled, 4 = Rejected
             * @enum {integer}
             */
            orderStatus: 0 | 1 | 2 | 3 | 4;
        };
        BatchItem: {
            success: boolean;
            message: string;
            data: components["schemas"]["OrderPlacement"] | null;
        };
        TradingState: {
            /** @enum {string} */
            scope: "installation" | "user" | "account";
            brokerageCode: string | null;
            accountNumber: string | null;
            /** @enum {string} */
            state: "active" | "reducing" | "halted";
            reason: string;
            includingStops: boolean;
            /** @description UTC, ISO 8601 */
            since: string;
        };
        TradingStateChange: {
            /** @constant */
            scope: "user";
            /**
             * @description active: everything; reducing: no buys; halted: no buys, no sells by hand and no take-profits, and bots are switched off
             * @enum {string}
             */
            state: "active" | "reducing" | "halted";
            /** @description Why; it is shown wherever something is refused */
            reason: string;
            /** @description With halted: stop-losses do not fire either. Default false */
            includingStops?: boolean;
            /**
             * @description Required to leave halted
             * @constant
             */
            confirm?: "RESUME";
        } | {
            /** @constant */
            scope: "account";
            brokerageCode: string;
            accountNumber: string;
            /**
             * @description active: everything; reducing: no buys; halted: no buys, no sells by hand and no take-profits, and bots are switched off
             * @enum {string}
             */
            state: "active" | "reducing" | "halted";
            /** @description Why; it is shown wherever something is refused */
            reason: string;
            /** @description With halted: stop-losses do not fire either. Default false */
            includingStops?: boolean;
            /**
             * @description Required to leave halted
             * @constant
             */
            confirm?: "RESUME";
        };
        Limits: {
            /** @description Once own fills of a day have lost it, only sells are taken until a person resumes trading */
            maxDailyLoss: number | null;
            /** @description Orders by hand, entries and buys of bots */
            maxOrdersPerMinute: number | null;
            /** @description Lots times limit price, or times the last price */
            maxOrderValue: number | null;
            /** @description What own fills have realised today, negative if lost; null: not counted, as maxDailyLoss is not set */
            realisedToday: number | null;
            /** @description Orders that counted in the last minute; null: not limited, as maxOrdersPerMinute is not set */
            ordersLastMinute: number | null;
        };
        LimitsChange: {
            brokerageCode: string;
            accountNumber: string;
            /** @description Once own fills of a day have lost it, only sells are taken until a person resumes trading */
            maxDailyLoss?: number | null;
            /** @description Orders by hand, entries and buys of bots */
            maxOrdersPerMinute?: number | null;
            /** @description Lots times limit price, or times the last price */
            maxOrderValue?: number | null;
        };
        PriceAlert: {
            id: number;
            symbol: string;
            /**
             * @description atOrAbove: a price of at least `price` reaches it; atOrBelow: one of at most `price`
             * @enum {string}
             */
            direction: "atOrAbove" | "atOrBelow";
            price: number;
            note: string | null;
            /** @description UTC, ISO 8601 */
            createdDate: string;
            /**
             * @description reached: a price ended it; expired: its time did, whether it was reached before or not
             * @enum {string}
             */
            status: "watching" | "reached" | "expired";
            repeat: boolean;
            /** @description UTC, ISO 8601; null: it does not end by itself */
            until: string | null;
            /** @description False: it was reached and repeats, and waits for a price on the other side; or it is over */
            armed: boolean;
            /** @description How many prices have reached it */
            reachedCount: number;
            /** @description When the last one did; UTC, ISO 8601 */
            reachedDate: string | null;
            /** @description The last price that reached it */
            reachedPrice: number | null;
            /** @description UTC, ISO 8601; null: it is under watch */
            endedDate: string | null;
        };
        PriceAlertWrite: {
            symbol: string;
            /**
             * @description atOrAbove: a price of at least `price` reaches it; atOrBelow: one of at most `price`
             * @enum {string}
             */
            direction: "atOrAbove" | "atOrBelow";
            /** @description Two decimals at most; it need not be a multiple of the tick */
            price: number;
            /** @description Free text, which the event repeats */
            note?: string | null;
            /** @description True: it remains under watch after it was reached, and can be reached again once a price was on the other side. Default false */
            repeat?: boolean;
            /** @description The alert ends then, ISO 8601; without an offset it is UTC, a date without a time the end of that day at the exchange */
            until?: string | null;
        };
        PriceAlertChange: {
            /**
             * @description atOrAbove: a price of at least `price` reaches it; atOrBelow: one of at most `price`
             * @enum {string}
             */
            direction?: "atOrAbove" | "atOrBelow";
            /** @description Two decimals at most; it need not be a multiple of the tick */
            price?: number;
            /** @description Free text, which the event repeats */
            note?: string | null;
            /** @description True: it remains under watch after it was reached; false: the next price that reaches it ends it */
            repeat?: boolean;
            /** @description The alert ends then, ISO 8601; without an offset it is UTC, a date without a time the end of that day at the exchange */
            until?: string | null;
        };
        RegisterPendingOco: {
            brokerageCode: string;
            accountNumber: string;
            /** @description The buy order at the brokerage */
            brokerOrderNo: string;
            /** @description The symbol of the brokerage order */
            symbol: string;
            /** @description Lots */
            stopLossQuantity: number;
            /** @description Percent below the fill price; not together with stopLossPrice */
            stopLossPercent?: number;
            /** @description A multiple of its tick; not together with stopLossPercent */
            stopLossPrice?: number;
            takeProfitItems: {
                /** @description Lots */
                quantity: number;
                /** @description Percent above the fill price; not together with price */
                percent?: number;
                /** @description A multiple of its tick; not together with percent */
                price?: number;
            }[];
            /** @description Expiry, ISO 8601; without an offset it is UTC, a date without a time the end of that day at the exchange */
            dueDate?: string | null;
            /** @description Free text */
            notes?: string | null;
            /** @description How the stop-loss is sold once it has fired; absent: the policy of the installation (EXIT_POLICY) */
            exit?: {
                /**
                 * @description untilSold: further orders sell what an ended order left; once: one order, regardless of what it leaves
                 * @enum {string}
                 */
                stopLoss?: "untilSold" | "once";
                /** @description The stop-loss sells at this moment, regardless of the price; ISO 8601 with a time of day */
                at?: string | null;
                /** @description The stop-loss sells so many minutes before the close of the exchange, regardless of the price */
                beforeCloseMinutes?: number | null;
            } | null;
            /** @description The stop-loss follows the price up; absent or null: it stays where it is */
            stopLossTrailing?: {
                /** @description So much under the high; or distancePercent */
                distance?: number;
                /** @description So many percent under the high, with at most two decimals; or distance */
                distancePercent?: number;
                /** @description The stop-loss stays where it is until a price reaches this */
                activationPrice?: number;
                /** @description The high counts in whole steps above the first one */
                step?: number;
                /** @description 2 (default): a high is the lower one of two prices in a row, so that one bad print raises nothing */
                confirmTicks?: number;
            } | null;
            /** @description The stop-loss rises as take-profits are sold; absent or null: it does not */
            stopLossLadder?: {
                /** @description Once so many are sold whole */
                afterTakeProfits: number;
                /**
                 * @description To where the stop-loss rises then
                 * @enum {string}
                 */
                to: "entry" | "previousTakeProfit";
                /** @description Added to that price; may be negative */
                offset?: number;
            }[] | null;
            corporateActions?: ("adjust" | "hold") | null;
            /** @description The quantities of the group shrink if lots of the account are sold elsewhere. Default false */
            followPosition?: boolean;
        };
        Entered: {
            setupId: number;
            /** @description null: the brokerage has not answered yet, or a stop entry waits for its trigger */
            orderNo: string | null;
            orderStatus: number | null;
            /** @description The lots that it buys */
            quantity: number;
        };
        EnterWithExits: {
            brokerageCode: string;
            accountNumber: string;
            symbol: string;
            /** @description The buy that is placed */
            entry: {
                /**
                 * @description 1 = market, 2 = limit, 3 = stop: a market order that is sent once the price has risen to triggerPrice
                 * @enum {number}
                 */
                orderType: 1 | 2 | 3;
                /** @description Of a limit order, a multiple of its tick */
                price?: number;
                /** @description Of a stop entry, a multiple of its tick */
                triggerPrice?: number;
                /** @description Lots; not together with cashAmount or riskAmount */
                quantity?: number;
                /** @description Buys as many lots as this pays for at price, triggerPrice or the last price; fees are not counted */
                cashAmount?: number;
                /** @description Buys as many lots as lose this if the stop-loss sells at its level */
                riskAmount?: number;
                /** @description What is not filled by then is cancelled; ISO 8601, as dueDate */
                expiresAt?: string | null;
            };
            /**
             * @description True: the group is made of the first part that is filled, and grows; false: once the buy has ended
             * @default true
             */
            protectPartial: boolean;
            /** @description Percent below the fill price; not together with stopLossPrice */
            stopLossPercent?: number;
            /** @description A multiple of its tick; not together with stopLossPercent */
            stopLossPrice?: number;
            takeProfitItems: {
                /** @description Percent above the fill price; not together with price */
                percent?: number;
                /** @description A multiple of its tick; not together with percent */
                price?: number;
                /** @description Lots; not together with quantityPercent */
                quantity?: number;
                /** @description Percent of the entry's lots, with at most two decimals; not together with quantity */
                quantityPercent?: number;
            }[];
            /** @description Expiry, ISO 8601; without an offset it is UTC, a date without a time the end of that day at the exchange */
            dueDate?: string | null;
            /** @description Free text */
            notes?: string | null;
            /** @description How the stop-loss is sold once it has fired; absent: the policy of the installation (EXIT_POLICY) */
            exit?: {
                /**
                 * @description untilSold: further orders sell what an ended order left; once: one order, regardless of what it leaves
                 * @enum {string}
                 */
                stopLoss?: "untilSold" | "once";
                /** @description The stop-loss sells at this moment, regardless of the price; ISO 8601 with a time of day */
                at?: string | null;
                /** @description The stop-loss sells so many minutes before the close of the exchange, regardless of the price */
                beforeCloseMinutes?: number | null;
            } | null;
            /** @description The stop-loss follows the price up; absent or null: it stays where it is */
            stopLossTrailing?: {
                /** @description So much under the high; or distancePercent */
                distance?: number;
                /** @description So many percent under the high, with at most two decimals; or distance */
                distancePercent?: number;
                /** @description The stop-loss stays where it is until a price reaches this */
                activationPrice?: number;
                /** @description The high counts in whole steps above the first one */
                step?: number;
                /** @description 2 (default): a high is the lower one of two prices in a row, so that one bad print raises nothing */
                confirmTicks?: number;
            } | null;
            /** @description The stop-loss rises as take-profits are sold; absent or null: it does not */
            stopLossLadder?: {
                /** @description Once so many are sold whole */
                afterTakeProfits: number;
                /**
                 * @description To where the stop-loss rises then
                 * @enum {string}
                 */
                to: "entry" | "previousTakeProfit";
                /** @description Added to that price; may be negative */
                offset?: number;
            }[] | null;
            corporateActions?: ("adjust" | "hold") | null;
            /** @description The quantities of the group shrink if lots of the account are sold elsewhere. Default false */
            followPosition?: boolean;
        };
        ChangePendingOco: {
            /** @description If it is given it must be the setup's */
            brokerageCode?: string;
            /** @description Lots */
            stopLossQuantity?: number;
            /** @description Percent below the fill price, in place of a price; not together with stopLossPrice */
            stopLossPercent?: number;
            /** @description A multiple of its tick, in place of a percent; not together with stopLossPercent */
            stopLossPrice?: number;
            /** @description The whole new list of take-profits */
            takeProfitItems?: {
                /** @description Lots */
                quantity: number;
                /** @description Percent above the fill price; not together with price */
                percent?: number;
                /** @description A multiple of its tick; not together with percent */
                price?: number;
            }[];
            /** @description Expiry, ISO 8601; without an offset it is UTC, a date without a time the end of that day at the exchange */
            dueDate?: string | null;
            /** @description Free text */
            notes?: string | null;
            /** @description How and when the stop-loss is sold from now on; a field that is absent stays, null takes a time away */
            exit?: {
                /**
                 * @description untilSold: further orders sell what an ended order left; once: one order, regardless of what it leaves
                 * @enum {string}
                 */
                stopLoss?: "untilSold" | "once";
                /** @description The stop-loss sells at this moment, regardless of the price; ISO 8601 with a time of day */
                at?: string | null;
                /** @description The stop-loss sells so many minutes before the close of the exchange, regardless of the price */
                beforeCloseMinutes?: number | null;
            };
            /** @description The stop-loss follows the price up from now on; null: it stays where it is */
            stopLossTrailing?: {
                /** @description So much under the high; or distancePercent */
                distance?: number;
                /** @description So many percent under the high, with at most two decimals; or distance */
                distancePercent?: number;
                /** @description The stop-loss stays where it is until a price reaches this */
                activationPrice?: number;
                /** @description The high counts in whole steps above the first one */
                step?: number;
                /** @description 2 (default): a high is the lower one of two prices in a row, so that one bad print raises nothing */
                confirmTicks?: number;
            } | null;
            /** @description The stop-loss rises as take-profits are sold, including take-profits that are sold already; null: it does not */
            stopLossLadder?: {
                /** @description Once so many are sold whole */
                afterTakeProfits: number;
                /**
                 * @description To where the stop-loss rises then
                 * @enum {string}
                 */
                to: "entry" | "previousTakeProfit";
                /** @description Added to that price; may be negative */
                offset?: number;
            }[] | null;
            /**
             * @description adjust: levels follow splits, bonus and rights issues and dividends; hold: none of them fires after one until the group is released
             * @enum {string}
             */
            corporateActions?: "adjust" | "hold";
            /** @description Whether the quantities of the group shrink from now on */
            followPosition?: boolean;
            /** @description Of an entry: what is not filled by then is cancelled; ISO 8601, as dueDate; null: nothing is */
            expiresAt?: string | null;
            /** @description Of a stop entry whose trigger is not reached yet, a multiple of its tick */
            triggerPrice?: number;
        };
        CreateOcoGroup: {
            brokerageCode: string;
            accountNumber: string;
            symbol: string;
            /** @description Lower than every take-profit price; a multiple of its tick */
            stopLossPrice: number;
            /** @description Lots that the stop-loss sells */
            stopLossQuantity: number;
            takeProfitItems: {
                price: number;
                /** @description Lots */
                quantity: number;
            }[];
            /** @description Expiry, ISO 8601; without an offset it is UTC, a date without a time the end of that day at the exchange */
            dueDate?: string | null;
            /** @description Free text */
            notes?: string | null;
            /** @description How the stop-loss is sold once it has fired; absent: the policy of the installation (EXIT_POLICY) */
            exit?: {
                /**
                 * @description untilSold: further orders sell what an ended order left; once: one order, regardless of what it leaves
                 * @enum {string}
                 */
                stopLoss?: "untilSold" | "once";
                /** @description The stop-loss sells at this moment, regardless of the price; ISO 8601 with a time of day */
                at?: string | null;
                /** @description The stop-loss sells so many minutes before the close of the exchange, regardless of the price */
                beforeCloseMinutes?: number | null;
            } | null;
            /** @description The stop-loss follows the price up; absent or null: it stays where it is */
            stopLossTrailing?: {
                /** @description So much under the high; or distancePercent */
                distance?: number;
                /** @description So many percent under the high, with at most two decimals; or distance */
                distancePercent?: number;
                /** @description The stop-loss stays where it is until a price reaches this */
                activationPrice?: number;
                /** @description The high counts in whole steps above the first one */
                step?: number;
                /** @description 2 (default): a high is the lower one of two prices in a row, so that one bad print raises nothing */
                confirmTicks?: number;
            } | null;
            /** @description The stop-loss rises as take-profits are sold; absent or null: it does not */
            stopLossLadder?: {
                /** @description Once so many are sold whole */
                afterTakeProfits: number;
                /**
                 * @description To where the stop-loss rises then
                 * @enum {string}
                 */
                to: "entry" | "previousTakeProfit";
                /** @description Added to that price; may be negative */
                offset?: number;
            }[] | null;
            corporateActions?: ("adjust" | "hold") | null;
            /** @description The quantities of the group shrink if lots of the account are sold elsewhere. Default false */
            followPosition?: boolean;
            entryPrice?: number | null;
        };
        OcoReceipt: {
            id: number;
            groupId: number;
            symbol: string;
            /** @description Why it fired, as text */
            rule: string;
            level: number;
            /** @description Null: the clock fired the row */
            tick: {
                /** @description The live price that fired the row */
                price: number;
                /** @description When that price counts as true: the trigger's moment */
                time: string;
                /** @description By the publisher's clock; null: it gave none, or it is not known */
                ownTime: string | null;
                arrivedDate: string | null;
                /** @description True: read back from the tick stream after a hole */
                isCaughtUp: boolean | null;
            } | null;
            /** @description Of the row: 1 = its sell is on its way */
            status: number;
            /** @description Its sells, the oldest first: several of a stop-loss that is sold until it is sold (behaviour 14) */
            orders: components["schemas"]["OrderReceipt"][];
        };
        OrderReceipt: {
            clientOrderId: string;
            quantity: number;
            /** @description The brokerage's number; null: no order exists */
            orderNo: string | null;
            /** @description 2 completed, 3 cancelled, 4 rejected */
            orderStatus: number | null;
            /** @description Why no order exists */
            refusal: string | null;
            /** @description How often it was sent; null: not known */
            attempts: number | null;
            /** @description When the row fired here; null: the service was restarted since then */
            decidedDate: string | null;
            /** @description When that was on disk */
            durableDate: string | null;
            /** @description When the last attempt left */
            sentDate: string | null;
            /** @description When its outcome was known */
            acknowledgedDate: string | null;
            /** @description When its end was reported */
            filledDate: string | null;
            filledQuantity: number | null;
            averagePrice: number | null;
        };
        OcoPlan: {
            groupId: number;
            /** @description 1 for a new group; it rises with every change of the group */
            version: number;
            /** @description The stop-loss first, take-profits by price */
            rows: components["schemas"]["OcoRow"][];
            exit: components["schemas"]["OcoExit"];
            /** @description How the stop-loss follows the price; null: it stays where it is */
            trailing: components["schemas"]["OcoTrailing"] | null;
            /** @description How the stop-loss rises as take-profits are sold; null: it does not */
            ladder: components["schemas"]["OcoLadder"] | null;
            /** @description True: the quantities shrink if lots are sold elsewhere */
            followPosition: boolean;
            /** @description Why no level of the group's symbol fires; null: they fire */
            hold: components["schemas"]["GroupHold"] | null;
            corporateActions: components["schemas"]["GroupCorporateActions"];
            /** @description Today's band of the symbol; null: not known */
            band: components["schemas"]["DayBand"] | null;
            /** @description Measures of the exchange on the symbol, and what they do to orders */
            restrictions: components["schemas"]["GroupRestriction"][];
            /** @description Orders of all rows that the brokerage answered, the oldest first */
            orders: components["schemas"]["OcoOrder"][];
        };
        OcoExit: {
            /**
             * @description untilSold: further orders sell what an ended order left; once: one order, regardless of what it leaves
             * @enum {string}
             */
            stopLoss: "untilSold" | "once";
            /**
             * @description none: the stop-loss has not fired; selling: an order is on its way or open; waiting: the next order leaves at nextOrderDate; stopping: its owner stopped it and the order is being cancelled; sold: all is sold; ended: a rest is not sold
             * @enum {string}
             */
            state: "none" | "selling" | "waiting" | "stopping" | "sold" | "ended";
            /** @description What fired the stop-loss: its price, at or beforeCloseMinutes, or flatten; null: nothing yet */
            reason: ("price" | "time" | "flatten") | null;
            /** @description The stop-loss sells at this moment, regardless of the price */
            at: string | null;
            beforeCloseMinutes: number | null;
            /** @description When the stop-loss sells by the clock; null: never, or no calendar contains the close, or it has fired */
            sellDate: string | null;
            /** @description Lots that ended orders of the stop-loss have sold */
            soldQuantity: number;
            /** @description Lots that are still to be sold; open orders count as not sold */
            leftQuantity: number;
            /** @description Orders of the stop-loss so far, by their numbers */
            orderCount: number;
            nextOrderDate: string | null;
            /** @description True: the market does not take the order now, and it is sent when the market opens at nextOrderDate */
            waitsForSession: boolean;
        };
        OcoTrailing: {
            distance: number | null;
            distancePercent: number | null;
            activationPrice: number | null;
            step: number | null;
            confirmTicks: 1 | 2;
            /** @description The highest price that counted; null: none did yet */
            high: number | null;
            /** @description True: prices count */
            isActivated: boolean;
        };
        OcoLadder: {
            rungs: {
                afterTakeProfits: number;
                /** @enum {string} */
                to: "entry" | "previousTakeProfit";
                offset: number;
            }[];
            entryPrice: number | null;
            /** @description How many sold take-profits have counted */
            climbed: number;
        };
        GroupHold: {
            /** @description UTC, ISO 8601 */
            since: string;
            /**
             * @description guard: its first price of a session lies too far from the last close; operator: by hand
             * @enum {string}
             */
            by: "guard" | "operator";
            reason: string;
            /** @description The last close; null: held by hand */
            from: number | null;
            /** @description The first price of the session; null: held by hand */
            to: number | null;
            /** @description True: its owner released the group, so its levels fire */
            isReleased: boolean;
        };
        GroupCorporateActions: {
            /** @enum {string} */
            policy: "adjust" | "hold";
            /** @description The change by the last corporate action; null: none */
            message: string | null;
            /** @description True: no level fires until the group is released */
            isHeld: boolean;
            /** @description True: an action counts once the stop-loss is no longer being sold */
            isWaiting: boolean;
        };
        DayBand: {
            symbol: string;
            floorPrice: number;
            ceilingPrice: number;
            basePrice: number | null;
            bandDate: string;
            /**
             * @description operator: by hand; brokerage: the brokerage reported it today; import: with the symbols. The first one counts
             * @enum {string}
             */
            source: "operator" | "brokerage" | "import";
        };
        GroupRestriction: {
            restrictionType: number;
            restrictionTypeName: string;
            effects: components["schemas"]["MeasureEffects"];
        };
        OcoOrder: {
            clientOrderId: string;
            quantity: number;
            /** @description The brokerage's number; null: no order exists */
            orderNo: string | null;
            /** @description 2 completed, 3 cancelled, 4 rejected */
            orderStatus: number | null;
            /** @description Why no order exists */
            refusal: string | null;
            /** @description How often it was sent; null: not known */
            attempts: number | null;
            /** @description When the row fired here; null: the service was restarted since then */
            decidedDate: string | null;
            /** @description When that was on disk */
            durableDate: string | null;
            /** @description When the last attempt left */
            sentDate: string | null;
            /** @description When its outcome was known */
            acknowledgedDate: string | null;
            /** @description When its end was reported */
            filledDate: string | null;
            filledQuantity: number | null;
            averagePrice: number | null;
            rowId: number;
        };
        OcoOutlook: {
            groupId: number;
            version: number;
            symbol: string;
            /** @description The moment of the answer */
            asOf: string;
            /** @description Rows that a price can fire, the stop-loss first */
            rows: components["schemas"]["OcoRowOutlook"][];
            /** @description The last live price; null: not known */
            lastPrice: {
                price: number;
                time: string;
            } | null;
            /** @description The session of now; null: no calendar is known */
            session: components["schemas"]["Session"] | null;
            /** @description Today's band of the symbol; null: not known */
            band: components["schemas"]["DayBand"] | null;
            /** @description Why no level of the group's symbol fires; null: they fire */
            hold: components["schemas"]["GroupHold"] | null;
            /** @description Measures of the exchange on the symbol */
            restrictions: components["schemas"]["OutlookRestriction"][];
            /** @description The strictest state that applies; null: trading is active */
            tradingState: {
                /** @enum {string} */
                state: "active" | "reducing" | "halted";
                reason: string;
                includingStops: boolean;
            } | null;
            ledger: components["schemas"]["OutlookLedger"];
        };
        OcoRowOutlook: {
            id: number;
            /** @description 1 TakeProfit, 2 StopLoss */
            orderType: 1 | 2;
            /** @description The level */
            price: number;
            quantity: number;
            /**
             * @description sells: the order leaves immediately; waits: the row fires and its order waits; doesNotFire: the price has no effect; nothingLeft: other orders of the group sell all lots of the row
             * @enum {string}
             */
            result: "sells" | "waits" | "doesNotFire" | "nothingLeft";
            /** @description The first order; null: none is sent */
            order: {
                /** @description 1 market, 2 limit */
                orderType: 1 | 2;
                /** @description The limit; null: a market order */
                price: number | null;
                quantity: number;
            } | null;
            /** @description Lots that further orders sell, one after another */
            laterQuantity: number;
            /** @description When the order leaves that waits; null: it does not wait, or the moment is unknown */
            waitsUntil: string | null;
            /** @description When the market opens for the order by the calendar; the order is tried before, too. Null: it is open, or no calendar is known */
            opensDate: string | null;
            /** @description Why */
            reasons: {
                /** @enum {string} */
                code: "QUARANTINED" | "STOP_LOSS_SELLING" | "SYMBOL_HELD" | "TRADING_HALTED" | "NOTHING_LEFT" | "MEASURE_WAIT" | "NO_MARKET_ORDERS" | "FLOOR_UNKNOWN" | "VALUE_CAP" | "VALUE_CAP_UNKNOWN" | "AUCTION_ONLY" | "MARKET_CLOSED" | "MORE_THAN_HELD";
                message: string;
            }[];
        };
        Session: {
            symbol: string;
            /** @description The calendar, by its market identifier code */
            mic: string;
            /** @description The phase of now; null: the market is closed */
            phase: string | null;
            /** @description Kinds of orders that the phase takes */
            takes: ("market" | "limit")[];
            /** @description When the phase ends, or the next one begins if the market is closed; null: not within 60 days */
            changeDate: string | null;
            /** @description The phase that begins next; null: none within 60 days */
            nextPhase: string | null;
        };
        OutlookRestriction: {
            restrictionType: number;
            restrictionTypeName: string;
            effects: components["schemas"]["MeasureEffects"];
            /** @description What it does to sells of the group */
            consequence: string;
        };
        /** @description The symbol in the account, as it was last known */
        OutlookLedger: {
            /** @description Lots that the brokerage reports as held */
            held: number | null;
            /** @description When the brokerage reported it */
            heldAsOf: string | null;
            /** @description Lots that this service may still sell by itself */
            committed: {
                /** @description Stop-loss quantities of active OCO groups */
                groups: number;
                /** @description Lots that open pairs of bots bought and have not begun to sell */
                bots: number;
                /** @description Stop-loss quantities of pending OCOs */
                entries: number;
            };
        };
        ChangeOcoGroup: {
            /** @description If it is given it must be the group's */
            brokerageCode?: string;
            stopLossPrice?: number;
            /** @description Lots */
            stopLossQuantity?: number;
            /** @description The whole new list of open take-profits: with id changed, without id new; a row that is left out is cancelled */
            takeProfitItems?: {
                id?: number;
                price: number;
                /** @description Lots */
                quantity: number;
            }[];
            /** @description Expiry, ISO 8601; without an offset it is UTC, a date without a time the end of that day at the exchange */
            dueDate?: string | null;
            /** @description Free text */
            notes?: string | null;
            /** @description How and when the stop-loss is sold from now on; a field that is absent stays, null takes a time away */
            exit?: {
                /**
                 * @description untilSold: further orders sell what an ended order left; once: one order, regardless of what it leaves
                 * @enum {string}
                 */
                stopLoss?: "untilSold" | "once";
                /** @description The stop-loss sells at this moment, regardless of the price; ISO 8601 with a time of day */
                at?: string | null;
                /** @description The stop-loss sells so many minutes before the close of the exchange, regardless of the price */
                beforeCloseMinutes?: number | null;
            };
            /** @description The stop-loss follows the price up from now on; null: it stays where it is */
            stopLossTrailing?: {
                /** @description So much under the high; or distancePercent */
                distance?: number;
                /** @description So many percent under the high, with at most two decimals; or distance */
                distancePercent?: number;
                /** @description The stop-loss stays where it is until a price reaches this */
                activationPrice?: number;
                /** @description The high counts in whole steps above the first one */
                step?: number;
                /** @description 2 (default): a high is the lower one of two prices in a row, so that one bad print raises nothing */
                confirmTicks?: number;
            } | null;
            /** @description The stop-loss rises as take-profits are sold, including take-profits that are sold already; null: it does not */
            stopLossLadder?: {
                /** @description Once so many are sold whole */
                afterTakeProfits: number;
                /**
                 * @description To where the stop-loss rises then
                 * @enum {string}
                 */
                to: "entry" | "previousTakeProfit";
                /** @description Added to that price; may be negative */
                offset?: number;
            }[] | null;
            /**
             * @description adjust: levels follow splits, bonus and rights issues and dividends; hold: none of them fires after one until the group is released
             * @enum {string}
             */
            corporateActions?: "adjust" | "hold";
            /** @description Whether the quantities of the group shrink from now on */
            followPosition?: boolean;
            /** @description What was paid, for rungs that lead to the entry */
            entryPrice?: number;
        };
        System: {
            id: number;
            name: string;
            /**
             * @description 1 = LevelBot, 2 = WebhookBot, 3 = StockBot, 4 = SignalBot
             * @enum {integer}
             */
            botType: 1 | 2 | 3 | 4;
            isActive: boolean;
            isRunning: boolean;
            /** @description Of a LevelBot */
            levelBotDetails?: components["schemas"]["LevelBotDetail"][];
        };
        CreatedLevelBot: {
            id: number;
            name: string;
            accountNumber: string;
            isActive: boolean;
        };
        LevelBotWrite: {
            brokerageCode: string;
            accountNumber: string;
            name: string;
            /** @description The owner's switch: while it is off, nothing is ordered */
            isActive: boolean;
            levelBotDetails: {
                symbol: string;
                /** @description Lots of one buy; default 1 */
                quantity?: number;
                /** @description 0 or absent = none */
                maxBuyPrice?: number;
                /** @description 0 or absent = none */
                minBuyPrice?: number;
                /** @description 0 or absent = none */
                maxSellPrice?: number;
                /** @description 0 or absent = none */
                minSellPrice?: number;
                /** @description How far under the anchor the bot buys */
                buyGap: number;
                /** @description 0 or absent = none */
                sellGap?: number;
                /** @description Percent over its buy price at which a pair sells, at least */
                targetProfit?: number;
                /** @description Realised profit at which the symbol buys no more; 0 or absent = none */
                profit?: number;
                /** @description 2: the anchor is the lower one of two prices in a row, so that one bad print does not move it; default 1 */
                confirmTicks?: number;
            }[];
        };
        PairHistory: {
            items: components["schemas"]["PairHistoryItem"][];
            totalCount: number;
            page: number;
            pageSize: number;
        };
        PairHistoryItem: {
            id: number;
            systemId: number;
            symbol: string;
            buyQuantity: number;
            buyOrderNo: string | null;
            buyOrderDate: string | null;
            sellQuantity: number;
            sellOrderNo: string | null;
            sellOrderDate: string | null;
            description: string;
            hourCount: number;
            /** @description What the sells brought less what the buy cost; 0 where the buy failed */
            profit: number;
        };
        BotTotals: {
            systemId: number;
            /** @description All closed pairs, however old */
            closedCount: number;
            /** @description How many of them closed because their buy failed */
            buyFailedCount: number;
            /** @description How many of them brought a profit above 0 */
            winCount: number;
            /** @description How many of them brought a profit below 0 */
            lossCount: number;
            /** @description The exact sum of the profits of all closed pairs */
            profit: number;
            /** @description The exact sum of the profits above 0 */
            grossProfit: number;
            /** @description The exact sum of the losses, as a number that is 0 or more */
            grossLoss: number;
            /** @description grossProfit / grossLoss, to four decimals; null while no pair has lost */
            profitFactor: number | null;
            /** @description The part of the pairs whose buy did not fail that gained, from 0 to 1, to four decimals; null without one */
            winRate: number | null;
            /** @description The largest fall of the running sum of profits from its highest value before, 0 or more; exact */
            largestDrawdown: number;
            /** @description The highest value of the running sum of profits, 0 or more; exact */
            highestProfit: number;
            /** @description Open pairs */
            openCount: number;
            /** @description Open pairs whose buy price is known, by symbol */
            open: {
                symbol: string;
                /** @description Lots that its open pairs bought */
                quantity: number;
                /** @description What these lots cost */
                cost: number;
                pairCount: number;
            }[];
            /** @description Of a level bot that is not deleted: its next levels by symbol, as they are now */
            next?: {
                symbol: string;
                /** @description The highest live price at which it buys next; null before the first price, and while it buys none */
                buyPrice: number | null;
                /** @description The lowest live price at which an open pair is sold next; null without such a pair */
                sellPrice: number | null;
            }[];
        };
        LevelBotTarget: {
            /** @description The pair */
            id: number;
            /** @description The lowest live price at which it is sold; null before its buy has completed, and if no price is */
            sellPrice: number | null;
        };
        WebhookBot: {
            id: number;
            name: string;
            accountNumber: string;
            isActive: boolean;
            /** @description Whether the service watches for it now */
            isRunning: boolean;
            webhookBotDetails: components["schemas"]["WebhookBotDetail"][];
            createdDate: string;
            updatedDate: string | null;
            /** @description Where signals are sent to; anyone who knows it can trade: keep it secret. Only for callers with the scope trade */
            webhookUrl?: string;
        };
        WebhookBotWrite: {
            brokerageCode: string;
            accountNumber: string;
            name: string;
            /** @description The owner's switch: while it is off, nothing is ordered */
            isActive: boolean;
            webhookBotDetails: {
                symbol: string;
                /** @description Lots of one buy */
                quantity: number;
                /** @description 0 or absent = none */
                maxBuyPrice?: number;
                /** @description 0 or absent = none */
                minBuyPrice?: number;
                /** @description 0 or absent = none */
                maxSellPrice?: number;
                /** @description 0 or absent = none */
                minSellPrice?: number;
                /** @description Must equal the signal's */
                algoName: string;
                /** @description Must equal the signal's, e.g. 1H, 4H, 1D */
                period: string;
            }[];
        };
        WebhookBotPair: {
            id: number;
            systemId: number;
            symbol: string;
            algoName: string;
            period: string;
            accountNumber: string;
            buyQuantity: number;
            /**
             * @description 0 = None, 1 = Sent, 2 = Completed
             * @enum {number}
             */
            buyStatus: 0 | 1 | 2;
            buyOrderNo: string | null;
            buyOrderDate: string | null;
            /** @description Average price of the buy; null until it is completed */
            buyPrice: number | null;
            sellQuantity: number;
            /**
             * @description 0 = None, 1 = Sent, 2 = Completed
             * @enum {number}
             */
            sellStatus: 0 | 1 | 2;
            sellOrderNo: string | null;
            sellOrderDate: string | null;
        };
        SymbolListItem: {
            id: number;
            name: string;
            description: string;
            symbolCount: number;
            /** @enum {string} */
            listType: "INDEX" | "CUSTOM";
            isPublic: boolean;
        };
        SymbolListDetail: {
            id: number;
            name: string;
            symbols: string[];
            /** @enum {string} */
            listType: "INDEX" | "CUSTOM";
        };
        SymbolListWritten: {
            id: number;
            name: string;
            description: string;
            symbolCount: number;
            /** @enum {string} */
            listType: "INDEX" | "CUSTOM";
            isPublic: boolean;
            symbols: string[];
        };
        Symbol: {
            symbol: string;
            name: string;
            exchange: string;
            isActive: boolean;
        };
        Bar: {
            /** @description The beginning of the period, UTC, ISO 8601 */
            time: string;
            open: number;
            high: number;
            low: number;
            close: number;
        };
        ListType: {
            id: number;
            /** @enum {string} */
            code: "INDEX" | "CUSTOM";
            name: string;
            description: string;
        };
        RestrictedSymbol: {
            symbolId: number;
            /** @description Symbol code */
            code: string;
            name: string;
            /** @description Empty where none is known */
            logoUrl: string;
            restrictions: {
                restrictionType: number;
                restrictionTypeName: string;
                validFrom: string;
                validTo: string | null;
                sourceRef: string;
            }[];
        };
        RestrictionCheck: {
            /** @description Symbol code */
            code: string;
            restrictionType: number;
            restrictionTypeName: string;
            isRestricted: boolean;
            validFrom: string | null;
        };
        SymbolUnderRestriction: {
            symbolId: number;
            /** @description Symbol code */
            code: string;
            name: string;
            /** @description Empty where none is known */
            logoUrl: string;
            validFrom: string;
        };
        Restriction: {
            id: number;
            symbolId: number;
            /** @description Symbol code */
            code: string;
            name: string;
            /** @description Empty where none is known */
            logoUrl: string;
            restrictionType: number;
            restrictionTypeName: string;
            validFrom: string;
            validTo: string | null;
            sourceRef: string;
            isActive: boolean;
        };
        LastPrice: {
            symbol: string;
            /** @description The last accepted price; null where none is known */
            price: number | null;
            /** @description When the price was true, UTC, ISO 8601 */
            time: string | null;
            /** @description How old the price is now, in milliseconds; null where its time is ahead of the clock */
            ageMs: number | null;
        };
        Conditions: {
            /** @description Of the feed that your rows are watched by; null without a feed */
            feed: {
                /** @enum {string} */
                state: "live" | "catchingUp" | "disconnected";
                /** @description How long ago that was, by the engine's clock; null before the first */
                silentMs: number | null;
                /** @description Processes that publish a venue's prices, as each reports itself; gone: it no longer reports */
                publishers: {
                    name: string;
                    since: string;
                    lastTick: string | null;
                    symbols: number;
                    ticks: number;
                    delayed: number;
                    behindMs?: number;
                    refused: string[];
                    /** @enum {string} */
                    state: "connected" | "delayed" | "silent" | "down" | "gone";
                }[];
            } | null;
            /** @description The way to each brokerage. One in the service's own process is always up */
            brokerages: {
                code: string;
                /**
                 * @description silent: no connector answers; untold: a connector of the first edition, which reports no status
                 * @enum {string}
                 */
                state: "up" | "down" | "silent" | "untold";
                since: string | null;
                /** @description True: the session comes back only after a login by the account's owner */
                needsLogin?: boolean;
                /** @description What the connector promises of a repeated order */
                resend: ("idempotent" | "expiry" | "query" | "none") | null;
                /** @description Why no order is sent; null: orders are sent */
                refusal: string | null;
                name: string;
                /** @description True: a paper brokerage, whose accounts can be set back (behaviour 11.1b) */
                canReset?: boolean;
            }[];
            /** @description Symbols of which no level fires, each until it is released */
            heldSymbols: components["schemas"]["HeldSymbolCondition"][];
            /** @description Of the partitions that engines share; null where they share none */
            cluster: {
                partitionCount: number;
                /** @description Partitions that an engine leads */
                ledCount: number;
                /** @description Partitions of which another engine has a copy that reads along */
                copiedCount: number;
                /** @description Of the best copy of each partition, that which is furthest behind */
                lagRecordsMax: number;
                /** @description Whether the servers of the log keep what they acknowledge */
                areServersTrusted: boolean;
            } | null;
        };
        HeldSymbolCondition: {
            /** @description UTC, ISO 8601 */
            since: string;
            /**
             * @description guard: its first price of a session lies too far from the last close; operator: by hand
             * @enum {string}
             */
            by: "guard" | "operator";
            reason: string;
            /** @description The last close; null: held by hand */
            from: number | null;
            /** @description The first price of the session; null: held by hand */
            to: number | null;
            symbol: string;
        };
        ListedUser: {
            userId: number;
            name: string;
            createdDate: string;
        };
        User: {
            userId: number;
            name: string;
        };
        CreatedApiKey: {
            keyId: number;
            apiKey: string;
            name: string;
            scopes: ("read" | "trade" | "admin")[];
        };
        ApiKey: {
            keyId: number;
            name: string;
            scopes: ("read" | "trade" | "admin")[];
            createdDate: string;
            revokedDate: string | null;
        };
        CreatedNotificationTarget: {
            id: number;
            /** @enum {string} */
            kind: "webhook" | "telegram" | "email";
            name: string;
            /** @description URL, chat or e-mail address */
            address: string;
            events: string[];
            isActive: boolean;
            /**
             * @description failing: it is tried again; dead: it was given up, an update revives it
             * @enum {string}
             */
            state: "idle" | "failing" | "dead";
            /** @description What is wrong, with the status where the other side gave one; null where nothing is */
            failureMessage: string | null;
            failingSince: string | null;
            /** @description How many events the target refused for good; each was tried a few times and left out */
            skippedCount: number;
            /** @description The last event that was left out, and why; null if none was left out */
            lastSkipped: {
                eventId: string;
                message: string;
                time: string;
            } | null;
            /** @description The last try to hand a message over, tests included; null if none is known */
            lastDelivery: {
                time: string;
                /** @description What was wrong; null if the message was taken */
                message: string | null;
            } | null;
            createdDate: string;
            /** @description Of a webhook: signs what is sent (Standard Webhooks); shown once */
            secret: string | null;
        };
        NotificationTargetWrite: {
            /** @constant */
            kind: "webhook";
            name: string;
            /** @description Which events are sent: types, or `oco.*` for all that begin so; `*` for all */
            events: string[];
            /** @description False: nothing is sent */
            isActive: boolean;
            /** @description https; public */
            url: string;
        } | {
            /** @constant */
            kind: "telegram";
            name: string;
            /** @description Which events are sent: types, or `oco.*` for all that begin so; `*` for all */
            events: string[];
            /** @description False: nothing is sent */
            isActive: boolean;
            /** @description Never shown again */
            botToken: string;
            chatId: string;
        } | {
            /** @constant */
            kind: "email";
            name: string;
            /** @description Which events are sent: types, or `oco.*` for all that begin so; `*` for all */
            events: string[];
            /** @description False: nothing is sent */
            isActive: boolean;
            /** Format: email */
            address: string;
        };
        NotificationTarget: {
            id: number;
            /** @enum {string} */
            kind: "webhook" | "telegram" | "email";
            name: string;
            /** @description URL, chat or e-mail address */
            address: string;
            events: string[];
            isActive: boolean;
            /**
             * @description failing: it is tried again; dead: it was given up, an update revives it
             * @enum {string}
             */
            state: "idle" | "failing" | "dead";
            /** @description What is wrong, with the status where the other side gave one; null where nothing is */
            failureMessage: string | null;
            failingSince: string | null;
            /** @description How many events the target refused for good; each was tried a few times and left out */
            skippedCount: number;
            /** @description The last event that was left out, and why; null if none was left out */
            lastSkipped: {
                eventId: string;
                message: string;
                time: string;
            } | null;
            /** @description The last try to hand a message over, tests included; null if none is known */
            lastDelivery: {
                time: string;
                /** @description What was wrong; null if the message was taken */
                message: string | null;
            } | null;
            createdDate: string;
        };
        SymbolWrite: {
            symbol: string;
            name: string;
            exchange: string;
            isActive: boolean;
            logoUrl?: string | null;
            /** @description The lowest price at which an order is taken that day */
            floorPrice?: number;
            /** @description The highest one */
            ceilingPrice?: number;
            /** @description The price that the two are computed from */
            basePrice?: number;
            /**
             * Format: date
             * @description The day; default: today where the exchange is
             */
            bandDate?: string;
        };
        RestrictionWrite: {
            code: string;
            /** @description Number or exact name: 1 AcigaSatisYasagi, 2 KredliIslemYasagi, 3 BrutTakas, 4 TekFiyatIslem, 5 EmirIptalYasagi, 6 AcilisKapanisIslemKisiti, 7 DegerTavani, 8 IslemSirasiKapatma, 99 Diger */
            restrictionType: number | string;
            validFrom: string;
            validTo?: string | null;
            sourceRef: string;
            /** @description Its effect on orders, in place of the effect of its type; left out: the effect of its type */
            effects?: components["schemas"]["MeasureEffects"] | null;
        };
        DayBandWrite: {
            /** @description The lowest price at which an order is taken that day */
            floorPrice: number;
            /** @description The highest one */
            ceilingPrice: number;
            /** @description The price that the two are computed from */
            basePrice?: number;
            /**
             * Format: date
             * @description The day; default: today where the exchange is
             */
            bandDate?: string;
        };
        HeldSymbol: {
            /** @description UTC, ISO 8601 */
            since: string;
            /**
             * @description guard: its first price of a session lies too far from the last close; operator: by hand
             * @enum {string}
             */
            by: "guard" | "operator";
            reason: string;
            /** @description The last close; null: held by hand */
            from: number | null;
            /** @description The first price of the session; null: held by hand */
            to: number | null;
            symbol: string;
            partition: number;
            /** @description Groups that their owners released */
            releasedGroups: number;
        };
        SymbolHold: {
            /** @description The reason that owners of groups of the symbol receive */
            reason?: string;
        };
        CorporateAction: {
            actionId: string;
            partition: number;
            symbol: string;
            /** @enum {string} */
            type: "split" | "bonus" | "rights" | "dividend";
            exDate: string;
            /** @description As text: bonus issue of 1 for 1 on 2026-03-02 */
            description: string;
            enteredDate: string;
            /** @description When the levels of this partition followed; null: not yet */
            appliedDate: string | null;
        };
        CorporateActionRequest: {
            symbol: string;
            /** @enum {string} */
            type: "split" | "bonus" | "rights" | "dividend";
            /** @description Of a split: shares before */
            sharesBefore?: number;
            /** @description Of a split: the same shares after it */
            sharesAfter?: number;
            /** @description Of a bonus or rights issue: new shares for each old one; 1 is 100 % */
            ratio?: number;
            /** @description Of a rights issue */
            subscriptionPrice?: number;
            /** @description Of a rights issue: the last close before; absent: the last price before exDate */
            closePrice?: number;
            /** @description Of a dividend: for each share */
            cash?: number;
            /** @description The first day on the new base, as 2026-03-02 */
            exDate: string;
        };
        SymbolRename: {
            /** @description The new name: of a symbol that is unknown so far, or of one without levels */
            to: string;
        };
        InstallationStateChange: {
            /**
             * @description active: everything; reducing: no buys; halted: no buys, no sells by hand and no take-profits, and bots are switched off
             * @enum {string}
             */
            state: "active" | "reducing" | "halted";
            /** @description Why; it is shown wherever something is refused */
            reason: string;
            /** @description With halted: stop-losses do not fire either. Default false */
            includingStops?: boolean;
            /**
             * @description Required to leave halted
             * @constant
             */
            confirm?: "RESUME";
        };
        Tick: {
            symbol: string;
            /** @description May have more decimals than the tick table, and may lie over 9,999,999, the highest price of a level */
            price: number;
            /** @description Epoch milliseconds; default: when it is taken. The engine ignores a tick whose time lies more than MAX_TICK_AGE_SECONDS before that */
            time?: number | null;
        };
        OutboxOrder: {
            /** @description Under which it can be released */
            id: string;
            /** @constant */
            type: "order";
            partition: number;
            /** @description Place in the partition's order of commits */
            sequence: number;
            clientOrderId: string;
            userId: number;
            brokerageCode: string;
            accountNumber: string;
            symbol: string;
            /** @enum {string} */
            state: "queued" | "sending" | "retrying" | "settling" | "quarantined";
            /** @description How often it was tried, as far as the process knows */
            attempt: number;
            /** @description Since when it is so */
            since: string;
            /** @description Empty if there is nothing to report */
            reason: string;
        };
        QuarantinedActor: {
            /** @description Under which it can be released */
            id: string;
            /** @constant */
            type: "actor";
            partition: number;
            actorId: number;
            /** @description Since when it is so */
            since: string;
            /** @description Empty if there is nothing to report */
            reason: string;
            /** @description What came since and is given to it at its release */
            heldEventCount: number;
        };
        DoubtfulOrder: {
            /** @description Under which it can be released; orders of one group or bot have one id */
            id: string;
            /** @constant */
            type: "doubt";
            partition: number;
            /** @description The group, bot or order of a client that it is of */
            actorId: number;
            orderNo: string;
            clientOrderId: string | null;
            userId: number;
            brokerageCode: string;
            accountNumber: string;
            symbol: string;
            buySell: 1 | 2;
            /** @description Lots ordered */
            quantity: number;
            /** @description Lots known as filled */
            filledQuantity: number;
            /** @description Since when it is so */
            since: string;
            /** @description Empty if there is nothing to report */
            reason: string;
        };
        Release: {
            /**
             * @description No order exists: send it as if for the first time
             * @constant
             */
            action: "resend";
        } | {
            /**
             * @description The order exists
             * @constant
             */
            action: "placed";
            /** @description Its number at the brokerage */
            orderNo: string;
        } | {
            /**
             * @description No order exists and none shall
             * @constant
             */
            action: "refused";
            /** @description The message that its owner receives */
            message: string;
        } | {
            /**
             * @description An actor: let it try again
             * @constant
             */
            action: "retry";
        } | {
            /**
             * @description An order in doubt: so much of it was filled in all
             * @constant
             */
            action: "filled";
            orderNo: string;
            /** @description Lots */
            quantity: number;
            /** @description Average price of all that was filled, in currency units */
            price: number;
        } | {
            /**
             * @description An order in doubt: nothing was filled beyond what is known as filled
             * @constant
             */
            action: "notFilled";
            orderNo: string;
        };
        BrokerageUse: {
            code: string;
            /** @description OCO groups that have not ended */
            groups: number;
            /** @description Registered pending OCOs */
            setups: number;
            /** @description Level bots that are active or wait for an order */
            levelBots: number;
            /** @description Webhook bots that are active or wait for an order */
            webhookBots: number;
            /** @description Orders without an outcome */
            orders: number;
            /** @description How many of the groups, pending OCOs and bots are in quarantine */
            quarantined: number;
        };
        RetiredCounts: {
            /** @description OCO groups that were cancelled, also groups of which a sell continues */
            groups: number;
            /** @description Pending OCOs that were removed */
            setups: number;
            /** @description Bots that were switched off and have open pairs */
            switchedOffBots: number;
            /** @description Bots without open pairs that were deleted */
            endedBots: number;
        };
        LeftOfBrokerage: {
            /** @enum {string} */
            type: "group" | "setup" | "levelBot" | "webhookBot" | "clientOrder" | "order";
            partition: number;
            /** @description The id of the group, pending OCO or bot; for an order and for an entry in quarantine, the id for its release */
            id: string;
            /** @description Null where it cannot be read */
            userId: number | null;
            /** @description Of a group: the rows whose sell is not done */
            rowIds: number[];
            /** @description Of a bot: its open pairs */
            pairIds: number[];
            reason: string;
            /** @description True: an engine does not start over it without the brokerage */
            isBlocking: boolean;
        };
        Cluster: {
            partitions: {
                partition: number;
                /** @description The engine that answers for it; null: none now */
                leader: string | null;
                /** @description Higher with every leader; null while none leads */
                epoch: number | null;
                /** @description The engines that read along */
                copies: {
                    engine: string;
                    /** @description Records that its leader has more; null: the log does not answer it */
                    lagRecords: number | null;
                }[];
            }[];
            engines: {
                engine: string;
                /** @description How many partitions it leads */
                leads: number;
                /** @description It hands over what it leads, and takes nothing */
                isEnding: boolean;
                /** @description Whether its clock is within 2 s of the tick stream's; absent: it is not known */
                isClockRight?: boolean;
                /** @description How often it took a partition over since it started, as the leader before had fallen silent */
                takeovers: {
                    partition: number;
                    count: number;
                }[];
            }[];
            /** @description The nats-servers, as they were last asked */
            servers: {
                /** @description Where it is asked, of NATS_MONITOR_URLS */
                url: string;
                /** @description Null, as all that follows: it does not answer */
                name: string | null;
                version: string | null;
                /** @description Whether what it acknowledges is on its disk */
                isSynced: boolean | null;
            }[];
            /** @description The logs and the stream of ticks, as they were last asked about */
            streams: {
                /** @description The log of a partition, or the stream of ticks */
                stream: string;
                /** @description How many nats-servers hold all of it, its leader included; 3 are needed */
                currentReplicas: number;
            }[];
            /** @description Why the servers cannot be trusted with the log; empty: they can */
            faults: string[];
        };
        Signal: {
            algoName: string;
            period: string;
            symbol: string;
            /** @enum {string} */
            side: "buy" | "sell";
            /** @description Default: the last live price */
            price?: number;
            /** @description Signals with the same id within 60 s count once; default: with the same body. A number beyond 2^53 is not exact and counts as no id: send such an id as text */
            id?: (string | number) | null;
        };
        TokenSet: {
            access_token: string;
            /** @constant */
            token_type: "Bearer";
            /** @constant */
            expires_in: 86400;
            refresh_token: string;
            /** @constant */
            refresh_expires_in: 2592000;
            issued_at?: string;
            scope?: string;
        };
        AccessTokenSet: {
            access_token: string;
            /** @constant */
            token_type: "Bearer";
            /** @constant */
            expires_in: 86400;
            issued_at?: string;
            scope?: string;
        };
    };
    responses: {
        /** @description The request is not valid; the message names field and rule */
        Invalid: {
            headers: {
                /** @description Requests that the window allows */
                "X-RateLimit-Limit"?: number;
                /** @description Requests left in the window */
                "X-RateLimit-Remaining"?: number;
                /** @description Seconds until the window ends */
                "X-RateLimit-Reset"?: number;
                /** @description The window: its name, what it allows and its seconds, as "global";q=5000;w=3600 */
                "RateLimit-Policy"?: string;
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "success": false,
                 *       "message": "stopLossPrice 20.01 is not a multiple of 0.02",
                 *       "error": {
                 *         "code": "RULE",
                 *         "field": "stopLossPrice"
                 *       },
                 *       "errors": [
                 *         {
                 *           "code": "RULE",
                 *           "field": "stopLossPrice",
                 *           "message": "stopLossPrice 20.01 is not a multiple of 0.02"
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": {
                    /** @constant */
                    success: false;
                    /** @description For people to read */
                    message: string;
                    error: {
                        code: components["schemas"]["FieldFaultCode"];
                        /** @description As a path; null: the request as a whole */
                        field: string | null;
                    };
                    /** @description All faults; `message` and `error` contain the first one */
                    errors: components["schemas"]["FieldFault"][];
                };
            };
        };
        /** @description The access token is missing, expired, revoked or not valid */
        Unauthorized: {
            headers: {
                /** @description Bearer */
                "WWW-Authenticate"?: string;
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "success": false,
                 *       "error": {
                 *         "code": "UNAUTHORIZED",
                 *         "message": "the access token has expired"
                 *       }
                 *     }
                 */
                "application/json": {
                    /** @constant */
                    success: false;
                    error: {
                        /** @constant */
                        code: "UNAUTHORIZED";
                        /** @description For people to read */
                        message: string;
                    };
                };
            };
        };
        /** @description The access token lacks the scope, or the account is not the caller's */
        Forbidden: {
            headers: {
                /** @description Requests that the window allows */
                "X-RateLimit-Limit"?: number;
                /** @description Requests left in the window */
                "X-RateLimit-Remaining"?: number;
                /** @description Seconds until the window ends */
                "X-RateLimit-Reset"?: number;
                /** @description The window: its name, what it allows and its seconds, as "global";q=5000;w=3600 */
                "RateLimit-Policy"?: string;
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "success": false,
                 *       "message": "accountNumber is not one of your accounts",
                 *       "error": {
                 *         "code": "FORBIDDEN",
                 *         "message": "accountNumber is not one of your accounts"
                 *       }
                 *     }
                 */
                "application/json": {
                    /** @constant */
                    success: false;
                    /** @description For people to read */
                    message: string;
                    error: {
                        /** @enum {string} */
                        code: "FORBIDDEN";
                        /** @description For people to read */
                        message: string;
                    };
                };
            };
        };
        /** @description The caller has no such object */
        NotFound: {
            headers: {
                /** @description Requests that the window allows */
                "X-RateLimit-Limit"?: number;
                /** @description Requests left in the window */
                "X-RateLimit-Remaining"?: number;
                /** @description Seconds until the window ends */
                "X-RateLimit-Reset"?: number;
                /** @description The window: its name, what it allows and its seconds, as "global";q=5000;w=3600 */
                "RateLimit-Policy"?: string;
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "success": false,
                 *       "message": "the symbol list was not found",
                 *       "error": {
                 *         "code": "NOT_FOUND",
                 *         "message": "the symbol list was not found"
                 *       }
                 *     }
                 */
                "application/json": {
                    /** @constant */
                    success: false;
                    /** @description For people to read */
                    message: string;
                    error: {
                        /** @enum {string} */
                        code: "NOT_FOUND";
                        /** @description For people to read */
                        message: string;
                    };
                };
            };
        };
        /** @description The first request with this Idempotency-Key is still running, the state of things does not allow this, or (NOT_NOW) the market does not take the order now, or trading is halted or reducing, or (OVERCOMMITTED) more would be sold than the account holds, or (ACCOUNT_LIMIT) a limit of the account refuses it */
        Conflict: {
            headers: {
                /** @description Requests that the window allows */
                "X-RateLimit-Limit"?: number;
                /** @description Requests left in the window */
                "X-RateLimit-Remaining"?: number;
                /** @description Seconds until the window ends */
                "X-RateLimit-Reset"?: number;
                /** @description The window: its name, what it allows and its seconds, as "global";q=5000;w=3600 */
                "RateLimit-Policy"?: string;
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "success": false,
                 *       "message": "the first request with this Idempotency-Key is still running",
                 *       "error": {
                 *         "code": "CONFLICT",
                 *         "message": "the first request with this Idempotency-Key is still running"
                 *       }
                 *     }
                 */
                "application/json": {
                    /** @constant */
                    success: false;
                    /** @description For people to read */
                    message: string;
                    error: {
                        /** @enum {string} */
                        code: "CONFLICT" | "NOT_NOW" | "TRADING_HALTED" | "TRADING_REDUCING" | "OVERCOMMITTED" | "ACCOUNT_LIMIT";
                        /** @description For people to read */
                        message: string;
                    };
                };
            };
        };
        /** @description `If-Match` names another version than the object has; `ETag` contains the current one */
        PreconditionFailed: {
            headers: {
                /** @description Requests that the window allows */
                "X-RateLimit-Limit"?: number;
                /** @description Requests left in the window */
                "X-RateLimit-Remaining"?: number;
                /** @description Seconds until the window ends */
                "X-RateLimit-Reset"?: number;
                /** @description The window: its name, what it allows and its seconds, as "global";q=5000;w=3600 */
                "RateLimit-Policy"?: string;
                /** @description The version of the object */
                ETag?: string;
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "success": false,
                 *       "message": "If-Match does not name the version of the group, which is 3 now",
                 *       "error": {
                 *         "code": "PRECONDITION_FAILED",
                 *         "message": "If-Match does not name the version of the group, which is 3 now"
                 *       }
                 *     }
                 */
                "application/json": {
                    /** @constant */
                    success: false;
                    /** @description For people to read */
                    message: string;
                    error: {
                        /** @enum {string} */
                        code: "PRECONDITION_FAILED";
                        /** @description For people to read */
                        message: string;
                    };
                };
            };
        };
        /** @description The body is larger than 1 MiB */
        PayloadTooLarge: {
            headers: {
                /** @description Requests that the window allows */
                "X-RateLimit-Limit"?: number;
                /** @description Requests left in the window */
                "X-RateLimit-Remaining"?: number;
                /** @description Seconds until the window ends */
                "X-RateLimit-Reset"?: number;
                /** @description The window: its name, what it allows and its seconds, as "global";q=5000;w=3600 */
                "RateLimit-Policy"?: string;
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "success": false,
                 *       "message": "the body is larger than 1048576 bytes",
                 *       "error": {
                 *         "code": "PAYLOAD_TOO_LARGE",
                 *         "message": "the body is larger than 1048576 bytes"
                 *       }
                 *     }
                 */
                "application/json": {
                    /** @constant */
                    success: false;
                    /** @description For people to read */
                    message: string;
                    error: {
                        /** @enum {string} */
                        code: "PAYLOAD_TOO_LARGE";
                        /** @description For people to read */
                        message: string;
                    };
                };
            };
        };
        /** @description The Idempotency-Key was used with another request */
        Unprocessable: {
            headers: {
                /** @description Requests that the window allows */
                "X-RateLimit-Limit"?: number;
                /** @description Requests left in the window */
                "X-RateLimit-Remaining"?: number;
                /** @description Seconds until the window ends */
                "X-RateLimit-Reset"?: number;
                /** @description The window: its name, what it allows and its seconds, as "global";q=5000;w=3600 */
                "RateLimit-Policy"?: string;
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "success": false,
                 *       "message": "Idempotency-Key was used with another request",
                 *       "error": {
                 *         "code": "UNPROCESSABLE",
                 *         "message": "Idempotency-Key was used with another request"
                 *       }
                 *     }
                 */
                "application/json": {
                    /** @constant */
                    success: false;
                    /** @description For people to read */
                    message: string;
                    error: {
                        /** @enum {string} */
                        code: "UNPROCESSABLE";
                        /** @description For people to read */
                        message: string;
                    };
                };
            };
        };
        /** @description A limit is reached */
        Limited: {
            headers: {
                /** @description Requests that the window allows */
                "X-RateLimit-Limit"?: number;
                /** @description Requests left in the window */
                "X-RateLimit-Remaining"?: number;
                /** @description Seconds until the window ends */
                "X-RateLimit-Reset"?: number;
                /** @description The window: its name, what it allows and its seconds, as "global";q=5000;w=3600 */
                "RateLimit-Policy"?: string;
                /** @description Seconds to wait */
                "Retry-After"?: number;
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "success": false,
                 *       "message": "requests an hour: the limit of 5000 is reached; try again in 312 s",
                 *       "retryAfterSeconds": 312
                 *     }
                 */
                "application/json": {
                    /** @constant */
                    success: false;
                    /** @description For people to read */
                    message: string;
                    retryAfterSeconds: number;
                };
            };
        };
        /** @description Something went wrong in the service */
        Internal: {
            headers: {
                /** @description Requests that the window allows */
                "X-RateLimit-Limit"?: number;
                /** @description Requests left in the window */
                "X-RateLimit-Remaining"?: number;
                /** @description Seconds until the window ends */
                "X-RateLimit-Reset"?: number;
                /** @description The window: its name, what it allows and its seconds, as "global";q=5000;w=3600 */
                "RateLimit-Policy"?: string;
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "success": false,
                 *       "message": "something went wrong here; request id 8d1f0c52",
                 *       "error": {
                 *         "code": "INTERNAL",
                 *         "message": "something went wrong here; request id 8d1f0c52"
                 *       }
                 *     }
                 */
                "application/json": {
                    /** @constant */
                    success: false;
                    /** @description For people to read */
                    message: string;
                    error: {
                        /** @enum {string} */
                        code: "INTERNAL";
                        /** @description For people to read */
                        message: string;
                    };
                };
            };
        };
        /** @description The service is not available, or an outcome is not known */
        Unavailable: {
            headers: {
                /** @description Requests that the window allows */
                "X-RateLimit-Limit"?: number;
                /** @description Requests left in the window */
                "X-RateLimit-Remaining"?: number;
                /** @description Seconds until the window ends */
                "X-RateLimit-Reset"?: number;
                /** @description The window: its name, what it allows and its seconds, as "global";q=5000;w=3600 */
                "RateLimit-Policy"?: string;
                /** @description Seconds to wait */
                "Retry-After"?: number;
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "success": false,
                 *       "message": "the service is not available now; nothing was done",
                 *       "error": {
                 *         "code": "UNAVAILABLE",
                 *         "message": "the service is not available now; nothing was done"
                 *       }
                 *     }
                 */
                "application/json": {
                    /** @constant */
                    success: false;
                    /** @description For people to read */
                    message: string;
                    error: {
                        /** @enum {string} */
                        code: "UNAVAILABLE";
                        /** @description For people to read */
                        message: string;
                    };
                };
            };
        };
    };
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    listAccounts: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description List accounts */
            200: {
                headers: {
                    /** @description Requests that the window allows */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends */
                    "X-RateLimit-Reset"?: number;
                    /** @description The window: its name, what it allows and its seconds, as "global";q=5000;w=3600 */
                    "RateLimit-Policy"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "Your accounts",
                     *       "data": [
                     *         {
                     *           "accountNumber": "PAPER-1",
                     *           "number": "1",
                     *           "name": "Paper account",
                     *           "brokerageCode": "PAPER",
                     *           "brokerageName": "Paper Brokerage",
                     *           "isActive": true,
                     *           "isDefault": true
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @description For people to read */
                        message: string;
                        data: components["schemas"]["Account"][];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["Limited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    logInToAccount: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "brokerageCode": "PAPER",
                 *       "username": "10000000146",
                 *       "password": "a password",
                 *       "accountNumber": "PAPER-1"
                 *     }
                 */
                "application/json": {
                    brokerageCode: string;
                    /** @description National identity number */
                    username: string;
                    /**
                     * Format: password
                     * @description Account password; never stored
                     */
                    password: string;
                    accountNumber: string;
                    /** @description From stage 1; in stage 2 only */
                    sessionId?: string | null;
                    /** @description Code received by phone; in stage 2 only */
                    sms?: string | null;
                };
            };
        };
        responses: {
            /** @description Log in to a brokerage account */
            200: {
                headers: {
                    /** @description Requests that the window allows */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends */
                    "X-RateLimit-Reset"?: number;
                    /** @description The window: its name, what it allows and its seconds, as "global";q=5000;w=3600 */
                    "RateLimit-Policy"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "A code was sent by SMS",
                     *       "data": {
                     *         "otp": 1,
                     *         "sessionId": "6fX0c1vJ2kQ"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @description For people to read */
                        message: string;
                        data: {
                            /** @constant */
                            otp: 1;
                            sessionId: string;
                        } | {
                            /** @constant */
                            otp: 0;
                            /** @constant */
                            isLoggedIn: true;
                        };
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["Limited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listPositions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "brokerageCode": "PAPER",
                 *       "accountNumber": "PAPER-1",
                 *       "includeOrders": false
                 *     }
                 */
                "application/json": {
                    brokerageCode: string;
                    accountNumber: string;
                    /** @description Default false */
                    includeOrders?: boolean;
                };
            };
        };
        responses: {
            /** @description List positions */
            200: {
                headers: {
                    /** @description Requests that the window allows */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends */
                    "X-RateLimit-Reset"?: number;
                    /** @description The window: its name, what it allows and its seconds, as "global";q=5000;w=3600 */
                    "RateLimit-Policy"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "The positions of the account",
                     *       "data": [
                     *         {
                     *           "symbol": "THYAO",
                     *           "quantity": 100,
                     *           "availableQuantity": 90,
                     *           "averagePrice": 285.5,
                     *           "lastPrice": 290.25,
                     *           "profit": 475
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @description For people to read */
                        message: string;
                        data: components["schemas"]["Position"][];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["Limited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listDailyOrders: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "brokerageCode": "PAPER",
                 *       "accountNumber": "PAPER-1"
                 *     }
                 */
                "application/json": {
                    brokerageCode: string;
                    accountNumber: string;
                };
            };
        };
        responses: {
            /** @description List the day's orders */
            200: {
                headers: {
                    /** @description Requests that the window allows */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends */
                    "X-RateLimit-Reset"?: number;
                    /** @description The window: its name, what it allows and its seconds, as "global";q=5000;w=3600 */
                    "RateLimit-Policy"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "The day's orders of the account",
                     *       "data": [
                     *         {
                     *           "symbol": "THYAO",
                     *           "quantity": 10,
                     *           "buySell": 1,
                     *           "orderNo": "PAPER-17",
                     *           "orderStatus": 1,
                     *           "accountNumber": "PAPER-1",
                     *           "orderType": 2,
                     *           "price": 290.25,
                     *           "filledQuantity": 0,
                     *           "averagePrice": 0,
                     *           "clientOrderId": "k3v9x0a2mq-1-17",
                     *           "createdDate": "2026-03-02T10:15:00.000Z",
                     *           "updatedDate": null
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @description For people to read */
                        message: string;
                        data: components["schemas"]["DailyOrder"][];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["Limited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    readBalance: {
        parameters: {
            query: {
                /**
                 * @description Code of the brokerage, case-sensitive
                 * @example PAPER
                 */
                brokerageCode: string;
                /**
                 * @description The account's accountNumber or its number
                 * @example PAPER-1
                 */
                accountNumber: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Show the money of an account */
            200: {
                headers: {
                    /** @description Requests that the window allows */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends */
                    "X-RateLimit-Reset"?: number;
                    /** @description The window: its name, what it allows and its seconds, as "global";q=5000;w=3600 */
                    "RateLimit-Policy"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "The money of the account",
                     *       "data": {
                     *         "cash": 12500.5,
                     *         "buyingPower": 12000,
                     *         "equity": 41525.5,
                     *         "currency": "TRY"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @description For people to read */
                        message: string;
                        data: components["schemas"]["Balance"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["Limited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    resetPaperAccount: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "brokerageCode": "PAPER",
                 *       "accountNumber": "PAPER-2",
                 *       "confirm": "RESET"
                 *     }
                 */
                "application/json": components["schemas"]["AccountReset"];
            };
        };
        responses: {
            /** @description Set a paper account back */
            200: {
                headers: {
                    /** @description Requests that the window allows */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends */
                    "X-RateLimit-Reset"?: number;
                    /** @description The window: its name, what it allows and its seconds, as "global";q=5000;w=3600 */
                    "RateLimit-Policy"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "The account is set back",
                     *       "data": {
                     *         "cash": 1000000,
                     *         "buyingPower": 1000000,
                     *         "equity": 1000000,
                     *         "currency": "TRY"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @description For people to read */
                        message: string;
                        data: components["schemas"]["Balance"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["Limited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    readSellLedger: {
        parameters: {
            query: {
                /**
                 * @description Code of the brokerage, case-sensitive
                 * @example PAPER
                 */
                brokerageCode: string;
                /**
                 * @description The account's accountNumber or its number
                 * @example PAPER-1
                 */
                accountNumber: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Show what may still be sold of each symbol */
            200: {
                headers: {
                    /** @description Requests that the window allows */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends */
                    "X-RateLimit-Reset"?: number;
                    /** @description The window: its name, what it allows and its seconds, as "global";q=5000;w=3600 */
                    "RateLimit-Policy"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "The sell ledger",
                     *       "data": [
                     *         {
                     *           "symbol": "THYAO",
                     *           "held": 100,
                     *           "heldAsOf": "2026-01-05T09:30:00.000Z",
                     *           "openSells": 10,
                     *           "committed": {
                     *             "groups": 100,
                     *             "bots": 0,
                     *             "entries": 0
                     *           },
                     *           "worstCase": -10,
                     *           "overcommitted": true
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @description For people to read */
                        message: string;
                        data: components["schemas"]["SellLedgerRow"][];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["Limited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    flattenAccount: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "brokerageCode": "PAPER",
                 *       "accountNumber": "PAPER-2",
                 *       "reason": "something is wrong",
                 *       "confirm": "FLATTEN"
                 *     }
                 */
                "application/json": components["schemas"]["Flatten"];
            };
        };
        responses: {
            /** @description Sell all that an account holds */
            200: {
                headers: {
                    /** @description Requests that the window allows */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends */
                    "X-RateLimit-Reset"?: number;
                    /** @description The window: its name, what it allows and its seconds, as "global";q=5000;w=3600 */
                    "RateLimit-Policy"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "The account is being sold",
                     *       "data": {
                     *         "orders": [
                     *           {
                     *             "symbol": "THYAO",
                     *             "quantity": 100,
                     *             "clientOrderId": "k3v9x2m1p7-c12"
                     *           }
                     *         ],
                     *         "left": [
                     *           {
                     *             "symbol": "GARAN",
                     *             "quantity": 50,
                     *             "reason": "it is being sold already"
                     *           }
                     *         ],
                     *         "cancelledOrders": 1,
                     *         "cancelledGroups": 1,
                     *         "removedSetups": 0
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @description For people to read */
                        message: string;
                        data: components["schemas"]["Flattened"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["Limited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listOrders: {
        parameters: {
            query: {
                /**
                 * @description Code of the brokerage, case-sensitive
                 * @example PAPER
                 */
                brokerageCode: string;
                /**
                 * @description The account's accountNumber or its number
                 * @example PAPER-1
                 */
                accountNumber: string;
                /**
                 * @description Only these: unanswered, open, unclear, ending, ended, inDoubt or settled, separated by commas
                 * @example open,inDoubt
                 */
                state?: string;
                /**
                 * @description Only orders that came into their state then or later, ISO 8601
                 * @example 2026-03-01T10:00:00Z
                 */
                since?: string;
                /**
                 * @description Only this symbol
                 * @example THYAO
                 */
                symbol?: string;
                /** @description Most rows of the answer; its header `X-Next-Cursor` is where the next part begins */
                limit?: number;
                /**
                 * @description `X-Next-Cursor` of the part before
                 * @example MTAwMS4xMDAz
                 */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description List the orders that are followed */
            200: {
                headers: {
                    /** @description Requests that the window allows */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends */
                    "X-RateLimit-Reset"?: number;
                    /** @description The window: its name, what it allows and its seconds, as "global";q=5000;w=3600 */
                    "RateLimit-Policy"?: string;
                    /** @description The `cursor` of the next part; absent: nothing is left */
                    "X-Next-Cursor"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "The orders that are followed",
                     *       "data": [
                     *         {
                     *           "orderNo": "PAPER-18",
                     *           "orderNumbers": [
                     *             "PAPER-18"
                     *           ],
                     *           "clientOrderId": "k3f9x0a2bc-r1001",
                     *           "symbol": "THYAO",
                     *           "buySell": 2,
                     *           "quantity": 100,
                     *           "filledQuantity": 40,
                     *           "averagePrice": 289.5,
                     *           "state": "open",
                     *           "since": "2026-01-05T09:31:00.000Z",
                     *           "message": null,
                     *           "owner": {
                     *             "type": "group",
                     *             "id": 1001
                     *           }
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @description For people to read */
                        message: string;
                        data: components["schemas"]["FollowedOrder"][];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["Limited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    placeOrder: {
        parameters: {
            query?: never;
            header?: {
                /** @description The first answer is given again for the same user, path and body for 24 hours */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "brokerageCode": "PAPER",
                 *       "accountNumber": "PAPER-1",
                 *       "symbol": "THYAO",
                 *       "quantity": 10,
                 *       "buySell": 1,
                 *       "orderType": 2,
                 *       "price": 290.25
                 *     }
                 */
                "application/json": {
                    brokerageCode: string;
                    accountNumber: string;
                    symbol: string;
                    /** @description Lots */
                    quantity: number;
                    /**
                     * @description 1 = Buy, 2 = Sell
                     * @enum {number}
                     */
                    buySell: 1 | 2;
                    /**
                     * @description 1 = Market, 2 = Limit
                     * @enum {number}
                     */
                    orderType: 1 | 2;
                    /** @description Required for a limit order, a multiple of its tick; 0 for market */
                    price?: number;
                };
            };
        };
        responses: {
            /** @description Place an order */
            200: {
                headers: {
                    /** @description Requests that the window allows */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends */
                    "X-RateLimit-Reset"?: number;
                    /** @description The window: its name, what it allows and its seconds, as "global";q=5000;w=3600 */
                    "RateLimit-Policy"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "The order was placed",
                     *       "data": {
                     *         "symbol": "THYAO",
                     *         "quantity": 10,
                     *         "buySell": 1,
                     *         "orderNo": "PAPER-17",
                     *         "orderStatus": 1
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @description For people to read */
                        message: string;
                        data: components["schemas"]["OrderPlacement"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["Limited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getOrder: {
        parameters: {
            query: {
                /**
                 * @description Code of the brokerage, case-sensitive
                 * @example PAPER
                 */
                brokerageCode: string;
                /**
                 * @description The account's accountNumber or its number
                 * @example PAPER-1
                 */
                accountNumber: string;
            };
            header?: never;
            path: {
                /**
                 * @description Number at the brokerage
                 * @example PAPER-17
                 */
                orderNo: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Show an order */
            200: {
                headers: {
                    /** @description Requests that the window allows */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends */
                    "X-RateLimit-Reset"?: number;
                    /** @description The window: its name, what it allows and its seconds, as "global";q=5000;w=3600 */
                    "RateLimit-Policy"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "The order",
                     *       "data": {
                     *         "symbol": "THYAO",
                     *         "quantity": 10,
                     *         "buySell": 1,
                     *         "orderNo": "PAPER-17",
                     *         "orderStatus": 1,
                     *         "accountNumber": "PAPER-1",
                     *         "orderType": 2,
                     *         "price": 290.25,
                     *         "filledQuantity": 0,
                     *         "averagePrice": 0,
                     *         "clientOrderId": "k3v9x0a2mq-1-17",
                     *         "createdDate": "2026-03-02T10:15:00.000Z",
                     *         "updatedDate": null,
                     *         "followed": null
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @description For people to read */
                        message: string;
                        data: components["schemas"]["Order"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["Limited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    placeChainOrder: {
        parameters: {
            query?: never;
            header?: {
                /** @description The first answer is given again for the same user, path and body for 24 hours */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "brokerageCode": "PAPER",
                 *       "accountNumber": "PAPER-1",
                 *       "symbol": "THYAO",
                 *       "quantity": 10,
                 *       "buySell": 2,
                 *       "orderType": 2,
                 *       "price": 300,
                 *       "referenceOrderNo": "PAPER-17"
                 *     }
                 */
                "application/json": {
                    brokerageCode: string;
                    accountNumber: string;
                    symbol: string;
                    /** @description Lots */
                    quantity: number;
                    /**
                     * @description 1 = Buy, 2 = Sell
                     * @enum {number}
                     */
                    buySell: 1 | 2;
                    /**
                     * @description 1 = Market, 2 = Limit
                     * @enum {number}
                     */
                    orderType: 1 | 2;
                    /** @description Required for a limit order, a multiple of its tick; 0 for market */
                    price?: number;
                    /** @description The order that must be completed first */
                    referenceOrderNo: string;
                };
            };
        };
        responses: {
            /** @description Place a chain order */
            200: {
                headers: {
                    /** @description Requests that the window allows */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends */
                    "X-RateLimit-Reset"?: number;
                    /** @description The window: its name, what it allows and its seconds, as "global";q=5000;w=3600 */
                    "RateLimit-Policy"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "The chain order was placed",
                     *       "data": {
                     *         "symbol": "THYAO",
                     *         "quantity": 10,
                     *         "buySell": 2,
                     *         "orderNo": "PAPER-18",
                     *         "orderStatus": 0
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @description For people to read */
                        message: string;
                        data: components["schemas"]["OrderPlacement"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["Limited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    placeOrderBatch: {
        parameters: {
            query?: never;
            header?: {
                /** @description The first answer is given again for the same user, path and body for 24 hours */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "brokerageCode": "PAPER",
                 *       "accountNumber": "PAPER-1",
                 *       "items": [
                 *         {
                 *           "symbol": "THYAO",
                 *           "quantity": 10,
                 *           "buySell": 1,
                 *           "orderType": 2,
                 *           "price": 290.25
                 *         },
                 *         {
                 *           "symbol": "THYAO",
                 *           "quantity": 10,
                 *           "buySell": 1,
                 *           "orderType": 2,
                 *           "price": 290.3
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": {
                    brokerageCode: string;
                    accountNumber: string;
                    items: {
                        symbol: string;
                        /** @description Lots */
                        quantity: number;
                        /**
                         * @description 1 = Buy, 2 = Sell
                         * @enum {number}
                         */
                        buySell: 1 | 2;
                        /**
                         * @description 1 = Market, 2 = Limit
                         * @enum {number}
                         */
                        orderType: 1 | 2;
                        /** @description Required for a limit order, a multiple of its tick; 0 for market */
                        price?: number;
                    }[];
                };
            };
        };
        responses: {
            /** @description Place a batch of orders */
            200: {
                headers: {
                    /** @description Requests that the window allows */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends */
                    "X-RateLimit-Reset"?: number;
                    /** @description The window: its name, what it allows and its seconds, as "global";q=5000;w=3600 */
                    "RateLimit-Policy"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "1 of 2 orders were placed",
                     *       "data": [
                     *         {
                     *           "success": true,
                     *           "message": "The order was placed",
                     *           "data": {
                     *             "symbol": "THYAO",
                     *             "quantity": 10,
                     *             "buySell": 1,
                     *             "orderNo": "PAPER-17",
                     *             "orderStatus": 1
                     *           }
                     *         },
                     *         {
                     *           "success": false,
                     *           "message": "price 290.3 is not a multiple of 0.25",
                     *           "data": null
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @description For people to read */
                        message: string;
                        data: components["schemas"]["BatchItem"][];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["Limited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    cancelOrder: {
        parameters: {
            query?: never;
            header?: {
                /** @description The first answer is given again for the same user, path and body for 24 hours */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "brokerageCode": "PAPER",
                 *       "accountNumber": "PAPER-1",
                 *       "orderNo": "PAPER-17",
                 *       "symbol": "THYAO"
                 *     }
                 */
                "application/json": {
                    brokerageCode: string;
                    accountNumber: string;
                    /** @description Number at the brokerage */
                    orderNo: string;
                    symbol: string;
                };
            };
        };
        responses: {
            /** @description Cancel an order */
            200: {
                headers: {
                    /** @description Requests that the window allows */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends */
                    "X-RateLimit-Reset"?: number;
                    /** @description The window: its name, what it allows and its seconds, as "global";q=5000;w=3600 */
                    "RateLimit-Policy"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "The order was cancelled",
                     *       "data": true
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @description For people to read */
                        message: string;
                        /** @constant */
                        data: true;
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["Limited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    cancelOrderBatch: {
        parameters: {
            query?: never;
            header?: {
                /** @description The first answer is given again for the same user, path and body for 24 hours */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "brokerageCode": "PAPER",
                 *       "accountNumber": "PAPER-1",
                 *       "items": [
                 *         {
                 *           "orderNo": "PAPER-17",
                 *           "symbol": "THYAO"
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": {
                    brokerageCode: string;
                    accountNumber: string;
                    items: {
                        /** @description Number at the brokerage */
                        orderNo: string;
                        symbol: string;
                    }[];
                };
            };
        };
        responses: {
            /** @description Cancel a batch of orders */
            200: {
                headers: {
                    /** @description Requests that the window allows */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends */
                    "X-RateLimit-Reset"?: number;
                    /** @description The window: its name, what it allows and its seconds, as "global";q=5000;w=3600 */
                    "RateLimit-Policy"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "1 of 1 order was cancelled",
                     *       "data": true
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @description For people to read */
                        message: string;
                        /** @constant */
                        data: true;
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["Limited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getTradingState: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Show whether trading is halted */
            200: {
                headers: {
                    /** @description Requests that the window allows */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends */
                    "X-RateLimit-Reset"?: number;
                    /** @description The window: its name, what it allows and its seconds, as "global";q=5000;w=3600 */
                    "RateLimit-Policy"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "The trading states",
                     *       "data": [
                     *         {
                     *           "scope": "account",
                     *           "brokerageCode": "PAPER",
                     *           "accountNumber": "PAPER-2",
                     *           "state": "halted",
                     *           "reason": "something is wrong",
                     *           "includingStops": false,
                     *           "since": "2026-03-02T09:30:00.000Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @description For people to read */
                        message: string;
                        data: components["schemas"]["TradingState"][];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["Limited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    setTradingState: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "scope": "account",
                 *       "brokerageCode": "PAPER",
                 *       "accountNumber": "PAPER-2",
                 *       "state": "halted",
                 *       "reason": "something is wrong",
                 *       "includingStops": false
                 *     }
                 */
                "application/json": components["schemas"]["TradingStateChange"];
            };
        };
        responses: {
            /** @description Halt trading, let only sells pass, or resume */
            200: {
                headers: {
                    /** @description Requests that the window allows */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends */
                    "X-RateLimit-Reset"?: number;
                    /** @description The window: its name, what it allows and its seconds, as "global";q=5000;w=3600 */
                    "RateLimit-Policy"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "The trading state was set",
                     *       "data": true
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @description For people to read */
                        message: string;
                        /** @constant */
                        data: true;
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["Limited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getLimits: {
        parameters: {
            query: {
                /**
                 * @description Code of the brokerage, case-sensitive
                 * @example PAPER
                 */
                brokerageCode: string;
                /**
                 * @description The account's accountNumber or its number
                 * @example PAPER-1
                 */
                accountNumber: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Show the limits of an account */
            200: {
                headers: {
                    /** @description Requests that the window allows */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends */
                    "X-RateLimit-Reset"?: number;
                    /** @description The window: its name, what it allows and its seconds, as "global";q=5000;w=3600 */
                    "RateLimit-Policy"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "The limits",
                     *       "data": {
                     *         "maxDailyLoss": 5000,
                     *         "maxOrdersPerMinute": 30,
                     *         "maxOrderValue": null,
                     *         "realisedToday": -1250.5,
                     *         "ordersLastMinute": 2
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @description For people to read */
                        message: string;
                        data: components["schemas"]["Limits"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["Limited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    setLimits: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "brokerageCode": "PAPER",
                 *       "accountNumber": "PAPER-1",
                 *       "maxDailyLoss": 5000,
                 *       "maxOrdersPerMinute": 30
                 *     }
                 */
                "application/json": components["schemas"]["LimitsChange"];
            };
        };
        responses: {
            /** @description Set the limits of an account */
            200: {
                headers: {
                    /** @description Requests that the window allows */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends */
                    "X-RateLimit-Reset"?: number;
                    /** @description The window: its name, what it allows and its seconds, as "global";q=5000;w=3600 */
                    "RateLimit-Policy"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "The limits were set",
                     *       "data": true
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @description For people to read */
                        message: string;
                        /** @constant */
                        data: true;
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["Limited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listPriceAlerts: {
        parameters: {
            query?: {
                /**
                 * @description Which list
                 * @example 2,3
                 */
                status?: "watching" | "ended";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description List the price alerts */
            200: {
                headers: {
                    /** @description Requests that the window allows */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends */
                    "X-RateLimit-Reset"?: number;
                    /** @description The window: its name, what it allows and its seconds, as "global";q=5000;w=3600 */
                    "RateLimit-Policy"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "The price alerts",
                     *       "data": [
                     *         {
                     *           "id": 1020,
                     *           "symbol": "THYAO",
                     *           "direction": "atOrAbove",
                     *           "price": 320,
                     *           "note": "breakout",
                     *           "createdDate": "2026-03-02T10:15:00.000Z",
                     *           "status": "watching",
                     *           "repeat": true,
                     *           "until": "2026-06-30T20:59:59.999Z",
                     *           "armed": true,
                     *           "reachedCount": 0,
                     *           "reachedDate": null,
                     *           "reachedPrice": null,
                     *           "endedDate": null
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @description For people to read */
                        message: string;
                        data: components["schemas"]["PriceAlert"][];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["Limited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    createPriceAlert: {
        parameters: {
            query?: never;
            header?: {
                /** @description The first answer is given again for the same user, path and body for 24 hours */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "symbol": "THYAO",
                 *       "direction": "atOrAbove",
                 *       "price": 320,
                 *       "note": "breakout",
                 *       "repeat": true,
                 *       "until": "2026-06-30"
                 *     }
                 */
                "application/json": components["schemas"]["PriceAlertWrite"];
            };
        };
        responses: {
            /** @description Watch a price */
            200: {
                headers: {
                    /** @description Requests that the window allows */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends */
                    "X-RateLimit-Reset"?: number;
                    /** @description The window: its name, what it allows and its seconds, as "global";q=5000;w=3600 */
                    "RateLimit-Policy"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "The price alert was created",
                     *       "data": {
                     *         "id": 1020,
                     *         "symbol": "THYAO",
                     *         "direction": "atOrAbove",
                     *         "price": 320,
                     *         "note": "breakout",
                     *         "createdDate": "2026-03-02T10:15:00.000Z",
                     *         "status": "watching",
                     *         "repeat": true,
                     *         "until": "2026-06-30T20:59:59.999Z",
                     *         "armed": true,
                     *         "reachedCount": 0,
                     *         "reachedDate": null,
                     *         "reachedPrice": null,
                     *         "endedDate": null
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @description For people to read */
                        message: string;
                        data: components["schemas"]["PriceAlert"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["Limited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    deletePriceAlert: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id
                 * @example 1001
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Remove a price alert */
            200: {
                headers: {
                    /** @description Requests that the window allows */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends */
                    "X-RateLimit-Reset"?: number;
                    /** @description The window: its name, what it allows and its seconds, as "global";q=5000;w=3600 */
                    "RateLimit-Policy"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "The price alert was removed",
                     *       "data": true
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @description For people to read */
                        message: string;
                        /** @constant */
                        data: true;
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["Limited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    changePriceAlert: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id
                 * @example 1001
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "price": 325,
                 *       "until": null
                 *     }
                 */
                "application/json": components["schemas"]["PriceAlertChange"];
            };
        };
        responses: {
            /** @description Change a price alert */
            200: {
                headers: {
                    /** @description Requests that the window allows */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends */
                    "X-RateLimit-Reset"?: number;
                    /** @description The window: its name, what it allows and its seconds, as "global";q=5000;w=3600 */
                    "RateLimit-Policy"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "The price alert was changed",
                     *       "data": {
                     *         "id": 1020,
                     *         "symbol": "THYAO",
                     *         "direction": "atOrAbove",
                     *         "price": 325,
                     *         "note": "breakout",
                     *         "createdDate": "2026-03-02T10:15:00.000Z",
                     *         "status": "watching",
                     *         "repeat": true,
                     *         "until": null,
                     *         "armed": true,
                     *         "reachedCount": 0,
                     *         "reachedDate": null,
                     *         "reachedPrice": null,
                     *         "endedDate": null
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @description For people to read */
                        message: string;
                        data: components["schemas"]["PriceAlert"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["Limited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    registerPendingOcoOrder: {
        parameters: {
            query?: never;
            header?: {
                /** @description The first answer is given again for the same user, path and body for 24 hours */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "brokerageCode": "PAPER",
                 *       "accountNumber": "PAPER-1",
                 *       "brokerOrderNo": "PAPER-17",
                 *       "symbol": "THYAO",
                 *       "stopLossQuantity": 10,
                 *       "stopLossPercent": 30,
                 *       "takeProfitItems": [
                 *         {
                 *           "quantity": 6,
                 *           "percent": 30
                 *         },
                 *         {
                 *           "quantity": 4,
                 *           "price": 450
                 *         }
                 *       ],
                 *       "followPosition": true
                 *     }
                 */
                "application/json": components["schemas"]["RegisterPendingOco"];
            };
        };
        responses: {
            /** @description Register a pending OCO */
            200: {
                headers: {
                    /** @description Requests that the window allows */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends */
                    "X-RateLimit-Reset"?: number;
                    /** @description The window: its name, what it allows and its seconds, as "global";q=5000;w=3600 */
                    "RateLimit-Policy"?: string;
                    /** @description The version of the object */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "The pending OCO was registered",
                     *       "data": 1005
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @description For people to read */
                        message: string;
                        /** @description setupId */
                        data: number;
                    };
                };
            };
            /** @description The request is not valid */
            400: {
                headers: {
                    /** @description Requests that the window allows */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends */
                    "X-RateLimit-Reset"?: number;
                    /** @description The window: its name, what it allows and its seconds, as "global";q=5000;w=3600 */
                    "RateLimit-Policy"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": false,
                     *       "message": "a pending record exists for the brokerOrderNo",
                     *       "data": 0,
                     *       "error": {
                     *         "code": "RULE",
                     *         "field": "brokerOrderNo"
                     *       },
                     *       "errors": [
                     *         {
                     *           "code": "RULE",
                     *           "field": "brokerOrderNo",
                     *           "message": "a pending record exists for the brokerOrderNo"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: false;
                        /** @description For people to read */
                        message: string;
                        error: {
                            code: components["schemas"]["FieldFaultCode"];
                            /** @description As a path; null: the request as a whole */
                            field: string | null;
                        };
                        /** @description All faults; `message` and `error` contain the first one */
                        errors: components["schemas"]["FieldFault"][];
                        /** @constant */
                        data: 0;
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["Limited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    enterWithExits: {
        parameters: {
            query?: never;
            header?: {
                /** @description The first answer is given again for the same user, path and body for 24 hours */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "brokerageCode": "PAPER",
                 *       "accountNumber": "PAPER-1",
                 *       "symbol": "THYAO",
                 *       "entry": {
                 *         "orderType": 2,
                 *         "price": 300,
                 *         "cashAmount": 30000,
                 *         "expiresAt": "2026-12-01"
                 *       },
                 *       "protectPartial": true,
                 *       "stopLossPercent": 3,
                 *       "takeProfitItems": [
                 *         {
                 *           "percent": 5,
                 *           "quantityPercent": 50
                 *         },
                 *         {
                 *           "percent": 8,
                 *           "quantityPercent": 50
                 *         }
                 *       ],
                 *       "followPosition": true
                 *     }
                 */
                "application/json": components["schemas"]["EnterWithExits"];
            };
        };
        responses: {
            /** @description Enter with exits */
            200: {
                headers: {
                    /** @description Requests that the window allows */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends */
                    "X-RateLimit-Reset"?: number;
                    /** @description The window: its name, what it allows and its seconds, as "global";q=5000;w=3600 */
                    "RateLimit-Policy"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "The entry was placed",
                     *       "data": {
                     *         "setupId": 1006,
                     *         "orderNo": "PAPER-18",
                     *         "orderStatus": 1,
                     *         "quantity": 100
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @description For people to read */
                        message: string;
                        data: components["schemas"]["Entered"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["Limited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listPendingOcoOrders: {
        parameters: {
            query: {
                /**
                 * @description Code of the brokerage, case-sensitive
                 * @example PAPER
                 */
                brokerageCode: string;
                /**
                 * @description The account's accountNumber or its number
                 * @example PAPER-1
                 */
                accountNumber: string;
                /**
                 * @description Only this symbol
                 * @example THYAO
                 */
                symbol?: string;
                /** @description Most rows of the answer; its header `X-Next-Cursor` is where the next part begins */
                limit?: number;
                /**
                 * @description `X-Next-Cursor` of the part before
                 * @example MTAwMS4xMDAz
                 */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description List the pending OCOs of an account */
            200: {
                headers: {
                    /** @description Requests that the window allows */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends */
                    "X-RateLimit-Reset"?: number;
                    /** @description The window: its name, what it allows and its seconds, as "global";q=5000;w=3600 */
                    "RateLimit-Policy"?: string;
                    /** @description The `cursor` of the next part; absent: nothing is left */
                    "X-Next-Cursor"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "The pending OCOs of the account",
                     *       "data": [
                     *         {
                     *           "setupId": 41,
                     *           "brokerageCode": "PAPER",
                     *           "accountNumber": "PAPER-1",
                     *           "brokerOrderNo": "100017",
                     *           "symbol": "THYAO",
                     *           "stopLossQuantity": 100,
                     *           "stopLossPercent": 3,
                     *           "stopLossPrice": null,
                     *           "takeProfitItems": [
                     *             {
                     *               "quantity": 100,
                     *               "percent": 5,
                     *               "price": null
                     *             }
                     *           ],
                     *           "dueDate": null,
                     *           "notes": null,
                     *           "createdDate": "2026-01-05T09:30:00.000Z",
                     *           "exit": null,
                     *           "stopLossTrailing": null,
                     *           "stopLossLadder": null,
                     *           "followPosition": false,
                     *           "version": 1,
                     *           "entry": null,
                     *           "orderMessage": null
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @description For people to read */
                        message: string;
                        data: components["schemas"]["PendingOco"][];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["Limited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getPendingOcoOrder: {
        parameters: {
            query?: {
                /**
                 * @description Code of the brokerage, case-sensitive
                 * @example PAPER
                 */
                brokerageCode?: string;
            };
            header?: never;
            path: {
                /**
                 * @description Id
                 * @example 41
                 */
                setupId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Show a pending OCO */
            200: {
                headers: {
                    /** @description Requests that the window allows */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends */
                    "X-RateLimit-Reset"?: number;
                    /** @description The window: its name, what it allows and its seconds, as "global";q=5000;w=3600 */
                    "RateLimit-Policy"?: string;
                    /** @description The version of the object */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "The pending OCO",
                     *       "data": {
                     *         "setupId": 41,
                     *         "brokerageCode": "PAPER",
                     *         "accountNumber": "PAPER-1",
                     *         "brokerOrderNo": "100017",
                     *         "symbol": "THYAO",
                     *         "stopLossQuantity": 100,
                     *         "stopLossPercent": 3,
                     *         "stopLossPrice": null,
                     *         "takeProfitItems": [
                     *           {
                     *             "quantity": 100,
                     *             "percent": 5,
                     *             "price": null
                     *           }
                     *         ],
                     *         "dueDate": null,
                     *         "notes": null,
                     *         "createdDate": "2026-01-05T09:30:00.000Z",
                     *         "exit": null,
                     *         "stopLossTrailing": null,
                     *         "stopLossLadder": null,
                     *         "followPosition": false,
                     *         "version": 1,
                     *         "entry": null,
                     *         "orderMessage": null
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @description For people to read */
                        message: string;
                        data: components["schemas"]["PendingOco"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["Limited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    removePendingOcoOrder: {
        parameters: {
            query: {
                /**
                 * @description Code of the brokerage, case-sensitive
                 * @example PAPER
                 */
                brokerageCode: string;
            };
            header?: never;
            path: {
                /**
                 * @description Id
                 * @example 41
                 */
                setupId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Remove a pending OCO */
            200: {
                headers: {
                    /** @description Requests that the window allows */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends */
                    "X-RateLimit-Reset"?: number;
                    /** @description The window: its name, what it allows and its seconds, as "global";q=5000;w=3600 */
                    "RateLimit-Policy"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "The pending OCO was removed",
                     *       "data": true
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @description For people to read */
                        message: string;
                        /** @constant */
                        data: true;
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["Limited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    changePendingOcoOrder: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` of the version that is meant, a list of them, or *; without it the last writer wins
                 * @example *
                 */
                "If-Match"?: string;
            };
            path: {
                /**
                 * @description Id
                 * @example 41
                 */
                setupId: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "stopLossPrice": 285,
                 *       "takeProfitItems": [
                 *         {
                 *           "quantity": 100,
                 *           "percent": 6
                 *         }
                 *       ],
                 *       "followPosition": true
                 *     }
                 */
                "application/json": components["schemas"]["ChangePendingOco"];
            };
        };
        responses: {
            /** @description Change a pending OCO */
            200: {
                headers: {
                    /** @description Requests that the window allows */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends */
                    "X-RateLimit-Reset"?: number;
                    /** @description The window: its name, what it allows and its seconds, as "global";q=5000;w=3600 */
                    "RateLimit-Policy"?: string;
                    /** @description The version of the object */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "The pending OCO was changed",
                     *       "data": {
                     *         "setupId": 41,
                     *         "brokerageCode": "PAPER",
                     *         "accountNumber": "PAPER-1",
                     *         "brokerOrderNo": "100017",
                     *         "symbol": "THYAO",
                     *         "stopLossQuantity": 100,
                     *         "stopLossPercent": null,
                     *         "stopLossPrice": 285,
                     *         "takeProfitItems": [
                     *           {
                     *             "quantity": 100,
                     *             "percent": 6,
                     *             "price": null
                     *           }
                     *         ],
                     *         "dueDate": null,
                     *         "notes": null,
                     *         "createdDate": "2026-01-05T09:30:00.000Z",
                     *         "exit": null,
                     *         "stopLossTrailing": null,
                     *         "stopLossLadder": null,
                     *         "followPosition": true,
                     *         "version": 2,
                     *         "entry": null,
                     *         "orderMessage": null
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @description For people to read */
                        message: string;
                        data: components["schemas"]["PendingOco"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["Limited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listOcoOrders: {
        parameters: {
            query: {
                /**
                 * @description Code of the brokerage, case-sensitive
                 * @example PAPER
                 */
                brokerageCode: string;
                /**
                 * @description The account's accountNumber or its number
                 * @example PAPER-1
                 */
                accountNumber: string;
                /**
                 * @description Only these: 1 (Active), 2 (Triggered), 3 (TriggerFailed) or 4 (Cancelled), separated by commas
                 * @example 2,3
                 */
                status?: string;
                /**
                 * @description Only rows that were made or changed then or later, ISO 8601
                 * @example 2026-03-01T10:00:00Z
                 */
                since?: string;
                /**
                 * @description Only this symbol
                 * @example THYAO
                 */
                symbol?: string;
                /** @description Most rows of the answer; its header `X-Next-Cursor` is where the next part begins */
                limit?: number;
                /**
                 * @description `X-Next-Cursor` of the part before
                 * @example MTAwMS4xMDAz
                 */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description List the OCO rows of an account */
            200: {
                headers: {
                    /** @description Requests that the window allows */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends */
                    "X-RateLimit-Reset"?: number;
                    /** @description The window: its name, what it allows and its seconds, as "global";q=5000;w=3600 */
                    "RateLimit-Policy"?: string;
                    /** @description The `cursor` of the next part; absent: nothing is left */
                    "X-Next-Cursor"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "The OCO rows of the account",
                     *       "data": [
                     *         {
                     *           "id": 1001,
                     *           "groupId": 1001,
                     *           "userId": 1,
                     *           "accountNumber": "PAPER-1",
                     *           "symbol": "THYAO",
                     *           "orderType": 2,
                     *           "quantity": 100,
                     *           "price": 200,
                     *           "status": 1,
                     *           "triggeredPrice": null,
                     *           "triggeredDate": null,
                     *           "dueDate": "2099-12-31T15:00:00.000Z",
                     *           "notes": "swing",
                     *           "triggerErrorMessage": null,
                     *           "createdDate": "2026-03-02T10:15:00.000Z",
                     *           "updatedDate": null
                     *         },
                     *         {
                     *           "id": 1002,
                     *           "groupId": 1001,
                     *           "userId": 1,
                     *           "accountNumber": "PAPER-1",
                     *           "symbol": "THYAO",
                     *           "orderType": 1,
                     *           "quantity": 60,
                     *           "price": 400,
                     *           "status": 2,
                     *           "triggeredPrice": 400.25,
                     *           "triggeredDate": "2026-03-02T11:40:12.250Z",
                     *           "dueDate": "2099-12-31T15:00:00.000Z",
                     *           "notes": "swing",
                     *           "triggerErrorMessage": null,
                     *           "createdDate": "2026-03-02T10:15:00.000Z",
                     *           "updatedDate": "2026-03-02T11:40:12.250Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @description For people to read */
                        message: string;
                        data: components["schemas"]["OcoRow"][];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["Limited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    createOcoOrder: {
        parameters: {
            query?: never;
            header?: {
                /** @description The first answer is given again for the same user, path and body for 24 hours */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "brokerageCode": "PAPER",
                 *       "accountNumber": "PAPER-1",
                 *       "symbol": "THYAO",
                 *       "stopLossPrice": 200,
                 *       "stopLossQuantity": 100,
                 *       "takeProfitItems": [
                 *         {
                 *           "price": 400,
                 *           "quantity": 60
                 *         },
                 *         {
                 *           "price": 450,
                 *           "quantity": 40
                 *         }
                 *       ],
                 *       "dueDate": "2099-12-31T15:00:00Z",
                 *       "notes": "swing",
                 *       "followPosition": true
                 *     }
                 */
                "application/json": components["schemas"]["CreateOcoGroup"];
            };
        };
        responses: {
            /** @description Create an OCO group */
            200: {
                headers: {
                    /** @description Requests that the window allows */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends */
                    "X-RateLimit-Reset"?: number;
                    /** @description The window: its name, what it allows and its seconds, as "global";q=5000;w=3600 */
                    "RateLimit-Policy"?: string;
                    /** @description The version of the object */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "The OCO group was created",
                     *       "data": {
                     *         "id": 1001,
                     *         "groupId": 1001,
                     *         "userId": 1,
                     *         "accountNumber": "PAPER-1",
                     *         "symbol": "THYAO",
                     *         "orderType": 2,
                     *         "quantity": 100,
                     *         "price": 200,
                     *         "status": 1,
                     *         "triggeredPrice": null,
                     *         "triggeredDate": null,
                     *         "dueDate": "2099-12-31T15:00:00.000Z",
                     *         "notes": "swing",
                     *         "triggerErrorMessage": null,
                     *         "createdDate": "2026-03-02T10:15:00.000Z",
                     *         "updatedDate": null
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @description For people to read */
                        message: string;
                        data: components["schemas"]["OcoRow"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["Limited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getOcoOrder: {
        parameters: {
            query?: {
                /**
                 * @description Code of the brokerage, case-sensitive
                 * @example PAPER
                 */
                brokerageCode?: string;
            };
            header?: never;
            path: {
                /**
                 * @description Id
                 * @example 1001
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Show an OCO group */
            200: {
                headers: {
                    /** @description Requests that the window allows */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends */
                    "X-RateLimit-Reset"?: number;
                    /** @description The window: its name, what it allows and its seconds, as "global";q=5000;w=3600 */
                    "RateLimit-Policy"?: string;
                    /** @description The version of the object */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "The OCO group",
                     *       "data": [
                     *         {
                     *           "id": 1001,
                     *           "groupId": 1001,
                     *           "userId": 1,
                     *           "accountNumber": "PAPER-1",
                     *           "symbol": "THYAO",
                     *           "orderType": 2,
                     *           "quantity": 100,
                     *           "price": 200,
                     *           "status": 1,
                     *           "triggeredPrice": null,
                     *           "triggeredDate": null,
                     *           "dueDate": "2099-12-31T15:00:00.000Z",
                     *           "notes": "swing",
                     *           "triggerErrorMessage": null,
                     *           "createdDate": "2026-03-02T10:15:00.000Z",
                     *           "updatedDate": null
                     *         },
                     *         {
                     *           "id": 1002,
                     *           "groupId": 1001,
                     *           "userId": 1,
                     *           "accountNumber": "PAPER-1",
                     *           "symbol": "THYAO",
                     *           "orderType": 1,
                     *           "quantity": 60,
                     *           "price": 400,
                     *           "status": 2,
                     *           "triggeredPrice": 400.25,
                     *           "triggeredDate": "2026-03-02T11:40:12.250Z",
                     *           "dueDate": "2099-12-31T15:00:00.000Z",
                     *           "notes": "swing",
                     *           "triggerErrorMessage": null,
                     *           "createdDate": "2026-03-02T10:15:00.000Z",
                     *           "updatedDate": "2026-03-02T11:40:12.250Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @description For people to read */
                        message: string;
                        data: components["schemas"]["OcoRow"][];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["Limited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    cancelOcoOrder: {
        parameters: {
            query: {
                /**
                 * @description Code of the brokerage, case-sensitive
                 * @example PAPER
                 */
                brokerageCode: string;
            };
            header?: {
                /**
                 * @description The `ETag` of the version that is meant, a list of them, or *; without it the last writer wins
                 * @example *
                 */
                "If-Match"?: string;
            };
            path: {
                /**
                 * @description Id
                 * @example 1001
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Cancel an OCO group */
            200: {
                headers: {
                    /** @description Requests that the window allows */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends */
                    "X-RateLimit-Reset"?: number;
                    /** @description The window: its name, what it allows and its seconds, as "global";q=5000;w=3600 */
                    "RateLimit-Policy"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "The OCO group was cancelled",
                     *       "data": true
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @description For people to read */
                        message: string;
                        /** @constant */
                        data: true;
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["Limited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    changeOcoOrder: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` of the version that is meant, a list of them, or *; without it the last writer wins
                 * @example *
                 */
                "If-Match"?: string;
            };
            path: {
                /**
                 * @description Id
                 * @example 1001
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "stopLossPrice": 210,
                 *       "takeProfitItems": [
                 *         {
                 *           "id": 1002,
                 *           "price": 420,
                 *           "quantity": 60
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["ChangeOcoGroup"];
            };
        };
        responses: {
            /** @description Change a running OCO group */
            200: {
                headers: {
                    /** @description Requests that the window allows */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends */
                    "X-RateLimit-Reset"?: number;
                    /** @description The window: its name, what it allows and its seconds, as "global";q=5000;w=3600 */
                    "RateLimit-Policy"?: string;
                    /** @description The version of the object */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "The OCO group was changed",
                     *       "data": {
                     *         "groupId": 1001,
                     *         "version": 2,
                     *         "rows": [
                     *           {
                     *             "id": 1001,
                     *             "groupId": 1001,
                     *             "userId": 1,
                     *             "accountNumber": "PAPER-1",
                     *             "symbol": "THYAO",
                     *             "orderType": 2,
                     *             "quantity": 100,
                     *             "price": 210,
                     *             "status": 1,
                     *             "triggeredPrice": null,
                     *             "triggeredDate": null,
                     *             "dueDate": "2099-12-31T15:00:00.000Z",
                     *             "notes": "swing",
                     *             "triggerErrorMessage": null,
                     *             "createdDate": "2026-03-02T10:15:00.000Z",
                     *             "updatedDate": null
                     *           },
                     *           {
                     *             "id": 1002,
                     *             "groupId": 1001,
                     *             "userId": 1,
                     *             "accountNumber": "PAPER-1",
                     *             "symbol": "THYAO",
                     *             "orderType": 1,
                     *             "quantity": 60,
                     *             "price": 420,
                     *             "status": 1,
                     *             "triggeredPrice": null,
                     *             "triggeredDate": null,
                     *             "dueDate": "2099-12-31T15:00:00.000Z",
                     *             "notes": "swing",
                     *             "triggerErrorMessage": null,
                     *             "createdDate": "2026-03-02T10:15:00.000Z",
                     *             "updatedDate": null
                     *           }
                     *         ],
                     *         "exit": {
                     *           "stopLoss": "untilSold",
                     *           "state": "none",
                     *           "reason": null,
                     *           "at": null,
                     *           "beforeCloseMinutes": 15,
                     *           "sellDate": "2026-03-02T14:55:00.000Z",
                     *           "soldQuantity": 0,
                     *           "leftQuantity": 100,
                     *           "orderCount": 0,
                     *           "nextOrderDate": null,
                     *           "waitsForSession": false
                     *         },
                     *         "trailing": {
                     *           "distance": 10,
                     *           "distancePercent": null,
                     *           "activationPrice": null,
                     *           "step": null,
                     *           "confirmTicks": 2,
                     *           "high": 305.5,
                     *           "isActivated": true
                     *         },
                     *         "ladder": {
                     *           "rungs": [
                     *             {
                     *               "afterTakeProfits": 1,
                     *               "to": "entry",
                     *               "offset": 0
                     *             }
                     *           ],
                     *           "entryPrice": 300,
                     *           "climbed": 0
                     *         },
                     *         "followPosition": true,
                     *         "hold": null,
                     *         "restrictions": [
                     *           {
                     *             "restrictionType": 99,
                     *             "restrictionTypeName": "Diger",
                     *             "effects": {
                     *               "noMarket": true
                     *             }
                     *           }
                     *         ],
                     *         "corporateActions": {
                     *           "policy": "adjust",
                     *           "message": null,
                     *           "isHeld": false,
                     *           "isWaiting": false
                     *         },
                     *         "band": null,
                     *         "orders": []
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @description For people to read */
                        message: string;
                        data: components["schemas"]["OcoPlan"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["Limited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getOcoReceipt: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id
                 * @example 1001
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The receipt of a row that has fired */
            200: {
                headers: {
                    /** @description Requests that the window allows */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends */
                    "X-RateLimit-Reset"?: number;
                    /** @description The window: its name, what it allows and its seconds, as "global";q=5000;w=3600 */
                    "RateLimit-Policy"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "The receipt",
                     *       "data": {
                     *         "id": 1002,
                     *         "groupId": 1001,
                     *         "symbol": "THYAO",
                     *         "rule": "take-profit: the live price 310.25 was at or over 310",
                     *         "level": 310,
                     *         "tick": {
                     *           "price": 310.25,
                     *           "time": "2026-03-02T11:40:12.250Z",
                     *           "ownTime": "2026-03-02T11:40:12.250Z",
                     *           "arrivedDate": "2026-03-02T11:40:12.250Z",
                     *           "isCaughtUp": false
                     *         },
                     *         "status": 2,
                     *         "orders": [
                     *           {
                     *             "clientOrderId": "k3v9x0a2mq-r1002",
                     *             "quantity": 60,
                     *             "orderNo": "PAPER-18",
                     *             "orderStatus": 2,
                     *             "refusal": null,
                     *             "attempts": 1,
                     *             "decidedDate": "2026-03-02T11:40:12.250Z",
                     *             "durableDate": "2026-03-02T11:40:12.250Z",
                     *             "sentDate": "2026-03-02T11:40:12.250Z",
                     *             "acknowledgedDate": "2026-03-02T11:40:12.250Z",
                     *             "filledDate": "2026-03-02T11:40:12.250Z",
                     *             "filledQuantity": 60,
                     *             "averagePrice": 310.25
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @description For people to read */
                        message: string;
                        data: components["schemas"]["OcoReceipt"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["Limited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getOcoPlan: {
        parameters: {
            query?: {
                /**
                 * @description Code of the brokerage, case-sensitive
                 * @example PAPER
                 */
                brokerageCode?: string;
            };
            header?: never;
            path: {
                /**
                 * @description Id
                 * @example 1001
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The plan of an OCO group */
            200: {
                headers: {
                    /** @description Requests that the window allows */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends */
                    "X-RateLimit-Reset"?: number;
                    /** @description The window: its name, what it allows and its seconds, as "global";q=5000;w=3600 */
                    "RateLimit-Policy"?: string;
                    /** @description The version of the object */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "The plan of the OCO group",
                     *       "data": {
                     *         "groupId": 1001,
                     *         "version": 1,
                     *         "rows": [
                     *           {
                     *             "id": 1001,
                     *             "groupId": 1001,
                     *             "userId": 1,
                     *             "accountNumber": "PAPER-1",
                     *             "symbol": "THYAO",
                     *             "orderType": 2,
                     *             "quantity": 100,
                     *             "price": 200,
                     *             "status": 1,
                     *             "triggeredPrice": null,
                     *             "triggeredDate": null,
                     *             "dueDate": "2099-12-31T15:00:00.000Z",
                     *             "notes": "swing",
                     *             "triggerErrorMessage": null,
                     *             "createdDate": "2026-03-02T10:15:00.000Z",
                     *             "updatedDate": null
                     *           },
                     *           {
                     *             "id": 1002,
                     *             "groupId": 1001,
                     *             "userId": 1,
                     *             "accountNumber": "PAPER-1",
                     *             "symbol": "THYAO",
                     *             "orderType": 1,
                     *             "quantity": 60,
                     *             "price": 400,
                     *             "status": 2,
                     *             "triggeredPrice": 400.25,
                     *             "triggeredDate": "2026-03-02T11:40:12.250Z",
                     *             "dueDate": "2099-12-31T15:00:00.000Z",
                     *             "notes": "swing",
                     *             "triggerErrorMessage": null,
                     *             "createdDate": "2026-03-02T10:15:00.000Z",
                     *             "updatedDate": "2026-03-02T11:40:12.250Z"
                     *           }
                     *         ],
                     *         "exit": {
                     *           "stopLoss": "untilSold",
                     *           "state": "none",
                     *           "reason": null,
                     *           "at": null,
                     *           "beforeCloseMinutes": 15,
                     *           "sellDate": "2026-03-02T14:55:00.000Z",
                     *           "soldQuantity": 0,
                     *           "leftQuantity": 100,
                     *           "orderCount": 0,
                     *           "nextOrderDate": null,
                     *           "waitsForSession": false
                     *         },
                     *         "trailing": {
                     *           "distance": 10,
                     *           "distancePercent": null,
                     *           "activationPrice": null,
                     *           "step": null,
                     *           "confirmTicks": 2,
                     *           "high": 305.5,
                     *           "isActivated": true
                     *         },
                     *         "ladder": {
                     *           "rungs": [
                     *             {
                     *               "afterTakeProfits": 1,
                     *               "to": "entry",
                     *               "offset": 0
                     *             }
                     *           ],
                     *           "entryPrice": 300,
                     *           "climbed": 0
                     *         },
                     *         "followPosition": true,
                     *         "hold": null,
                     *         "restrictions": [
                     *           {
                     *             "restrictionType": 99,
                     *             "restrictionTypeName": "Diger",
                     *             "effects": {
                     *               "noMarket": true
                     *             }
                     *           }
                     *         ],
                     *         "corporateActions": {
                     *           "policy": "adjust",
                     *           "message": null,
                     *           "isHeld": false,
                     *           "isWaiting": false
                     *         },
                     *         "band": null,
                     *         "orders": []
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @description For people to read */
                        message: string;
                        data: components["schemas"]["OcoPlan"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["Limited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getOcoOutlook: {
        parameters: {
            query?: {
                /**
                 * @description Code of the brokerage, case-sensitive
                 * @example PAPER
                 */
                brokerageCode?: string;
            };
            header?: never;
            path: {
                /**
                 * @description Id
                 * @example 1001
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What would happen to an OCO group now */
            200: {
                headers: {
                    /** @description Requests that the window allows */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends */
                    "X-RateLimit-Reset"?: number;
                    /** @description The window: its name, what it allows and its seconds, as "global";q=5000;w=3600 */
                    "RateLimit-Policy"?: string;
                    /** @description The version of the object */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "The outlook of the OCO group",
                     *       "data": {
                     *         "groupId": 1001,
                     *         "version": 1,
                     *         "symbol": "THYAO",
                     *         "asOf": "2026-03-02T11:40:12.250Z",
                     *         "rows": [
                     *           {
                     *             "id": 1001,
                     *             "orderType": 2,
                     *             "price": 290,
                     *             "quantity": 100,
                     *             "result": "sells",
                     *             "order": {
                     *               "orderType": 2,
                     *               "price": 270,
                     *               "quantity": 100
                     *             },
                     *             "laterQuantity": 0,
                     *             "waitsUntil": null,
                     *             "opensDate": null,
                     *             "reasons": [
                     *               {
                     *                 "code": "NO_MARKET_ORDERS",
                     *                 "message": "market orders are refused: it is a limit order at the floor of the day, 270"
                     *               }
                     *             ]
                     *           }
                     *         ],
                     *         "lastPrice": {
                     *           "price": 305.5,
                     *           "time": "2026-03-02T11:40:12.250Z"
                     *         },
                     *         "session": {
                     *           "symbol": "THYAO",
                     *           "mic": "XIST",
                     *           "phase": "continuous trading",
                     *           "takes": [
                     *             "market",
                     *             "limit"
                     *           ],
                     *           "changeDate": "2026-03-02T15:00:00.000Z",
                     *           "nextPhase": "closing auction"
                     *         },
                     *         "band": {
                     *           "symbol": "THYAO",
                     *           "floorPrice": 270,
                     *           "ceilingPrice": 330,
                     *           "basePrice": 300,
                     *           "bandDate": "2026-03-02",
                     *           "source": "operator"
                     *         },
                     *         "hold": null,
                     *         "restrictions": [
                     *           {
                     *             "restrictionType": 99,
                     *             "restrictionTypeName": "Diger",
                     *             "effects": {
                     *               "noMarket": true
                     *             },
                     *             "consequence": "sells are limit orders at the floor of the day if it is known"
                     *           }
                     *         ],
                     *         "tradingState": null,
                     *         "ledger": {
                     *           "held": 100,
                     *           "heldAsOf": "2026-03-02T11:40:12.250Z",
                     *           "committed": {
                     *             "groups": 100,
                     *             "bots": 0,
                     *             "entries": 0
                     *           }
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @description For people to read */
                        message: string;
                        data: components["schemas"]["OcoOutlook"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["Limited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    stopOcoExit: {
        parameters: {
            query?: {
                /**
                 * @description Code of the brokerage, case-sensitive
                 * @example PAPER
                 */
                brokerageCode?: string;
            };
            header?: never;
            path: {
                /**
                 * @description Id
                 * @example 1001
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Stop the exit of an OCO group */
            200: {
                headers: {
                    /** @description Requests that the window allows */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends */
                    "X-RateLimit-Reset"?: number;
                    /** @description The window: its name, what it allows and its seconds, as "global";q=5000;w=3600 */
                    "RateLimit-Policy"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "The exit is being stopped",
                     *       "data": true
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @description For people to read */
                        message: string;
                        /** @constant */
                        data: true;
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["Limited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    releaseOcoOrder: {
        parameters: {
            query?: {
                /**
                 * @description Code of the brokerage, case-sensitive
                 * @example PAPER
                 */
                brokerageCode?: string;
            };
            header?: never;
            path: {
                /**
                 * @description Id
                 * @example 1001
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Release an OCO group whose symbol is held */
            200: {
                headers: {
                    /** @description Requests that the window allows */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends */
                    "X-RateLimit-Reset"?: number;
                    /** @description The window: its name, what it allows and its seconds, as "global";q=5000;w=3600 */
                    "RateLimit-Policy"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "The OCO group was released",
                     *       "data": true
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @description For people to read */
                        message: string;
                        /** @constant */
                        data: true;
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["Limited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listSystems: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "brokerageCode": "PAPER",
                 *       "accountNumber": "PAPER-1",
                 *       "botType": [
                 *         1
                 *       ],
                 *       "isActive": 2
                 *     }
                 */
                "application/json": {
                    brokerageCode: string;
                    accountNumber: string;
                    /** @description Only these; empty = all */
                    botType?: (1 | 2 | 3 | 4)[] | null;
                    /** @description 1 = all (default), 2 = active, 3 = passive */
                    isActive?: (1 | 2 | 3) | null;
                    /** @description 1 = all, 2 = not deleted (default), 3 = deleted */
                    isDeleted?: (1 | 2 | 3) | null;
                    /** @description Created at or after, ISO 8601 */
                    startDate?: string | null;
                    /** @description Created at or before, ISO 8601; a date means all of it */
                    endDate?: string | null;
                };
            };
        };
        responses: {
            /** @description List the systems of an account */
            200: {
                headers: {
                    /** @description Requests that the window allows */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends */
                    "X-RateLimit-Reset"?: number;
                    /** @description The window: its name, what it allows and its seconds, as "global";q=5000;w=3600 */
                    "RateLimit-Policy"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "The systems of the account",
                     *       "data": [
                     *         {
                     *           "id": 1010,
                     *           "name": "Garanti levels",
                     *           "botType": 1,
                     *           "isActive": true,
                     *           "isRunning": true,
                     *           "levelBotDetails": [
                     *             {
                     *               "symbol": "GARAN",
                     *               "quantity": 5,
                     *               "maxBuyPrice": 140,
                     *               "minBuyPrice": 100,
                     *               "maxSellPrice": 0,
                     *               "minSellPrice": 0,
                     *               "buyGap": 0.5,
                     *               "sellGap": 0.4,
                     *               "targetProfit": 1,
                     *               "profit": 500
                     *             }
                     *           ]
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @description For people to read */
                        message: string;
                        data: components["schemas"]["System"][];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["Limited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listLevelBots: {
        parameters: {
            query: {
                /**
                 * @description Code of the brokerage, case-sensitive
                 * @example PAPER
                 */
                brokerageCode: string;
                /**
                 * @description The account's accountNumber or its number
                 * @example PAPER-1
                 */
                accountNumber: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description List the level bots of an account */
            200: {
                headers: {
                    /** @description Requests that the window allows */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends */
                    "X-RateLimit-Reset"?: number;
                    /** @description The window: its name, what it allows and its seconds, as "global";q=5000;w=3600 */
                    "RateLimit-Policy"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "The level bots of the account",
                     *       "data": [
                     *         {
                     *           "id": 1010,
                     *           "name": "Garanti levels",
                     *           "accountNumber": "PAPER-1",
                     *           "isActive": true,
                     *           "isRunning": true,
                     *           "levelBotDetails": [
                     *             {
                     *               "symbol": "GARAN",
                     *               "quantity": 5,
                     *               "maxBuyPrice": 140,
                     *               "minBuyPrice": 100,
                     *               "maxSellPrice": 0,
                     *               "minSellPrice": 0,
                     *               "buyGap": 0.5,
                     *               "sellGap": 0.4,
                     *               "targetProfit": 1,
                     *               "profit": 500
                     *             }
                     *           ],
                     *           "createdDate": "2026-03-02T10:15:00.000Z",
                     *           "updatedDate": null
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @description For people to read */
                        message: string;
                        data: components["schemas"]["LevelBot"][];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["Limited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    createLevelBot: {
        parameters: {
            query?: never;
            header?: {
                /** @description The first answer is given again for the same user, path and body for 24 hours */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "brokerageCode": "PAPER",
                 *       "accountNumber": "PAPER-1",
                 *       "name": "Garanti levels",
                 *       "isActive": true,
                 *       "levelBotDetails": [
                 *         {
                 *           "symbol": "GARAN",
                 *           "quantity": 5,
                 *           "maxBuyPrice": 140,
                 *           "minBuyPrice": 100,
                 *           "maxSellPrice": 0,
                 *           "minSellPrice": 0,
                 *           "buyGap": 0.5,
                 *           "sellGap": 0.4,
                 *           "targetProfit": 1,
                 *           "profit": 500
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["LevelBotWrite"];
            };
        };
        responses: {
            /** @description Create a level bot */
            200: {
                headers: {
                    /** @description Requests that the window allows */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends */
                    "X-RateLimit-Reset"?: number;
                    /** @description The window: its name, what it allows and its seconds, as "global";q=5000;w=3600 */
                    "RateLimit-Policy"?: string;
                    /** @description The version of the object */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "The level bot was created",
                     *       "data": {
                     *         "id": 1010,
                     *         "name": "Garanti levels",
                     *         "accountNumber": "PAPER-1",
                     *         "isActive": true
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @description For people to read */
                        message: string;
                        data: components["schemas"]["CreatedLevelBot"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["Limited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getLevelBot: {
        parameters: {
            query: {
                /**
                 * @description Code of the brokerage, case-sensitive
                 * @example PAPER
                 */
                brokerageCode: string;
            };
            header?: never;
            path: {
                /**
                 * @description Id
                 * @example 1001
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Show a level bot */
            200: {
                headers: {
                    /** @description Requests that the window allows */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends */
                    "X-RateLimit-Reset"?: number;
                    /** @description The window: its name, what it allows and its seconds, as "global";q=5000;w=3600 */
                    "RateLimit-Policy"?: string;
                    /** @description The version of the object */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "The level bot",
                     *       "data": {
                     *         "id": 1010,
                     *         "name": "Garanti levels",
                     *         "accountNumber": "PAPER-1",
                     *         "isActive": true,
                     *         "isRunning": true,
                     *         "levelBotDetails": [
                     *           {
                     *             "symbol": "GARAN",
                     *             "quantity": 5,
                     *             "maxBuyPrice": 140,
                     *             "minBuyPrice": 100,
                     *             "maxSellPrice": 0,
                     *             "minSellPrice": 0,
                     *             "buyGap": 0.5,
                     *             "sellGap": 0.4,
                     *             "targetProfit": 1,
                     *             "profit": 500
                     *           }
                     *         ],
                     *         "createdDate": "2026-03-02T10:15:00.000Z",
                     *         "updatedDate": null
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @description For people to read */
                        message: string;
                        data: components["schemas"]["LevelBot"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["Limited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateLevelBot: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` of the version that is meant, a list of them, or *; without it the last writer wins
                 * @example *
                 */
                "If-Match"?: string;
            };
            path: {
                /**
                 * @description Id
                 * @example 1001
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "brokerageCode": "PAPER",
                 *       "accountNumber": "PAPER-1",
                 *       "name": "Garanti levels",
                 *       "isActive": false,
                 *       "levelBotDetails": [
                 *         {
                 *           "symbol": "GARAN",
                 *           "quantity": 5,
                 *           "maxBuyPrice": 140,
                 *           "minBuyPrice": 100,
                 *           "maxSellPrice": 0,
                 *           "minSellPrice": 0,
                 *           "buyGap": 0.5,
                 *           "sellGap": 0.4,
                 *           "targetProfit": 1,
                 *           "profit": 500
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["LevelBotWrite"];
            };
        };
        responses: {
            /** @description Update a level bot */
            200: {
                headers: {
                    /** @description Requests that the window allows */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends */
                    "X-RateLimit-Reset"?: number;
                    /** @description The window: its name, what it allows and its seconds, as "global";q=5000;w=3600 */
                    "RateLimit-Policy"?: string;
                    /** @description The version of the object */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "The level bot was updated",
                     *       "data": {
                     *         "id": 1010,
                     *         "name": "Garanti levels",
                     *         "accountNumber": "PAPER-1",
                     *         "isActive": false,
                     *         "isRunning": false,
                     *         "levelBotDetails": [
                     *           {
                     *             "symbol": "GARAN",
                     *             "quantity": 5,
                     *             "maxBuyPrice": 140,
                     *             "minBuyPrice": 100,
                     *             "maxSellPrice": 0,
                     *             "minSellPrice": 0,
                     *             "buyGap": 0.5,
                     *             "sellGap": 0.4,
                     *             "targetProfit": 1,
                     *             "profit": 500
                     *           }
                     *         ],
                     *         "createdDate": "2026-03-02T10:15:00.000Z",
                     *         "updatedDate": "2026-03-02T11:40:12.250Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @description For people to read */
                        message: string;
                        data: components["schemas"]["LevelBot"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["Limited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteLevelBot: {
        parameters: {
            query?: {
                /**
                 * @description Code of the brokerage, case-sensitive
                 * @example PAPER
                 */
                brokerageCode?: string;
            };
            header?: {
                /**
                 * @description The `ETag` of the version that is meant, a list of them, or *; without it the last writer wins
                 * @example *
                 */
                "If-Match"?: string;
            };
            path: {
                /**
                 * @description Id
                 * @example 1001
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Delete a level bot */
            200: {
                headers: {
                    /** @description Requests that the window allows */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends */
                    "X-RateLimit-Reset"?: number;
                    /** @description The window: its name, what it allows and its seconds, as "global";q=5000;w=3600 */
                    "RateLimit-Policy"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "The level bot was deleted",
                     *       "data": true
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @description For people to read */
                        message: string;
                        /** @constant */
                        data: true;
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["Limited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listLevelBotPairHistory: {
        parameters: {
            query: {
                /**
                 * @description Code of the brokerage, case-sensitive
                 * @example PAPER
                 */
                brokerageCode: string;
                /**
                 * @description The account's accountNumber or its number
                 * @example PAPER-1
                 */
                accountNumber: string;
                /**
                 * @description From 1
                 * @example 1
                 */
                page?: number;
                /**
                 * @description Items of a page
                 * @example 10
                 */
                pageSize?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description List the closed pair orders of an account's level bots, newest first */
            200: {
                headers: {
                    /** @description Requests that the window allows */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends */
                    "X-RateLimit-Reset"?: number;
                    /** @description The window: its name, what it allows and its seconds, as "global";q=5000;w=3600 */
                    "RateLimit-Policy"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "The pair order history of the account",
                     *       "data": {
                     *         "items": [
                     *           {
                     *             "id": 1010001,
                     *             "systemId": 1010,
                     *             "symbol": "GARAN",
                     *             "buyQuantity": 5,
                     *             "buyOrderNo": "PAPER-18",
                     *             "buyOrderDate": "2026-03-02T10:15:00.000Z",
                     *             "sellQuantity": 5,
                     *             "sellOrderNo": "PAPER-21",
                     *             "sellOrderDate": "2026-03-02T11:40:12.250Z",
                     *             "description": "",
                     *             "hourCount": 1,
                     *             "profit": 6.5
                     *           }
                     *         ],
                     *         "totalCount": 1,
                     *         "page": 1,
                     *         "pageSize": 10
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @description For people to read */
                        message: string;
                        data: components["schemas"]["PairHistory"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["Limited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listLevelBotTotals: {
        parameters: {
            query: {
                /**
                 * @description Code of the brokerage, case-sensitive
                 * @example PAPER
                 */
                brokerageCode: string;
                /**
                 * @description The account's accountNumber or its number
                 * @example PAPER-1
                 */
                accountNumber: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description List what each of an account's level bots brought and holds */
            200: {
                headers: {
                    /** @description Requests that the window allows */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends */
                    "X-RateLimit-Reset"?: number;
                    /** @description The window: its name, what it allows and its seconds, as "global";q=5000;w=3600 */
                    "RateLimit-Policy"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "The totals of the account's level bots",
                     *       "data": [
                     *         {
                     *           "systemId": 1010,
                     *           "closedCount": 137,
                     *           "buyFailedCount": 1,
                     *           "winCount": 129,
                     *           "lossCount": 7,
                     *           "profit": 418.75,
                     *           "grossProfit": 502.5,
                     *           "grossLoss": 83.75,
                     *           "profitFactor": 6,
                     *           "winRate": 0.9485,
                     *           "largestDrawdown": 31.25,
                     *           "highestProfit": 425,
                     *           "openCount": 1,
                     *           "open": [
                     *             {
                     *               "symbol": "GARAN",
                     *               "quantity": 5,
                     *               "cost": 602,
                     *               "pairCount": 1
                     *             }
                     *           ]
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @description For people to read */
                        message: string;
                        data: components["schemas"]["BotTotals"][];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["Limited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listLevelBotPairs: {
        parameters: {
            query: {
                /**
                 * @description Code of the brokerage, case-sensitive
                 * @example PAPER
                 */
                brokerageCode: string;
            };
            header?: never;
            path: {
                /**
                 * @description Id
                 * @example 1001
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description List the active pair orders of a level bot */
            200: {
                headers: {
                    /** @description Requests that the window allows */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends */
                    "X-RateLimit-Reset"?: number;
                    /** @description The window: its name, what it allows and its seconds, as "global";q=5000;w=3600 */
                    "RateLimit-Policy"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "The active pair orders of the bot",
                     *       "data": [
                     *         {
                     *           "id": 1010001,
                     *           "systemId": 1010,
                     *           "symbol": "GARAN",
                     *           "buyQuantity": 5,
                     *           "buyStatus": 2,
                     *           "buyOrderNo": "PAPER-18",
                     *           "buyOrderDate": "2026-03-02T10:15:00.000Z",
                     *           "sellQuantity": 5,
                     *           "sellStatus": 0,
                     *           "sellOrderNo": null,
                     *           "sellOrderDate": null,
                     *           "buyPrice": 120.4,
                     *           "description": ""
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @description For people to read */
                        message: string;
                        data: components["schemas"]["LevelBotPair"][];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["Limited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listLevelBotTargets: {
        parameters: {
            query: {
                /**
                 * @description Code of the brokerage, case-sensitive
                 * @example PAPER
                 */
                brokerageCode: string;
            };
            header?: never;
            path: {
                /**
                 * @description Id
                 * @example 1001
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description List the sell prices of the active pair orders of a level bot */
            200: {
                headers: {
                    /** @description Requests that the window allows */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends */
                    "X-RateLimit-Reset"?: number;
                    /** @description The window: its name, what it allows and its seconds, as "global";q=5000;w=3600 */
                    "RateLimit-Policy"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "The sell prices of the bot's pairs",
                     *       "data": [
                     *         {
                     *           "id": 1010001,
                     *           "sellPrice": 121.7
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @description For people to read */
                        message: string;
                        data: components["schemas"]["LevelBotTarget"][];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["Limited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listWebhookBots: {
        parameters: {
            query: {
                /**
                 * @description Code of the brokerage, case-sensitive
                 * @example PAPER
                 */
                brokerageCode: string;
                /**
                 * @description The account's accountNumber or its number
                 * @example PAPER-1
                 */
                accountNumber: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description List the webhook bots of an account */
            200: {
                headers: {
                    /** @description Requests that the window allows */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends */
                    "X-RateLimit-Reset"?: number;
                    /** @description The window: its name, what it allows and its seconds, as "global";q=5000;w=3600 */
                    "RateLimit-Policy"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "The webhook bots of the account",
                     *       "data": [
                     *         {
                     *           "id": 1020,
                     *           "name": "Trend",
                     *           "accountNumber": "PAPER-1",
                     *           "isActive": true,
                     *           "isRunning": true,
                     *           "webhookBotDetails": [
                     *             {
                     *               "symbol": "ASELS",
                     *               "algoName": "trend-follower",
                     *               "period": "1H",
                     *               "quantity": 20,
                     *               "maxBuyPrice": 0,
                     *               "minBuyPrice": 0,
                     *               "maxSellPrice": 0,
                     *               "minSellPrice": 0
                     *             }
                     *           ],
                     *           "createdDate": "2026-03-02T10:15:00.000Z",
                     *           "updatedDate": null,
                     *           "webhookUrl": "https://trading.example/webhooks/0_the-secret-of-the-bot"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @description For people to read */
                        message: string;
                        data: components["schemas"]["WebhookBot"][];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["Limited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    createWebhookBot: {
        parameters: {
            query?: never;
            header?: {
                /** @description The first answer is given again for the same user, path and body for 24 hours */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "brokerageCode": "PAPER",
                 *       "accountNumber": "PAPER-1",
                 *       "name": "Trend",
                 *       "isActive": true,
                 *       "webhookBotDetails": [
                 *         {
                 *           "symbol": "ASELS",
                 *           "algoName": "trend-follower",
                 *           "period": "1H",
                 *           "quantity": 20,
                 *           "maxBuyPrice": 0,
                 *           "minBuyPrice": 0,
                 *           "maxSellPrice": 0,
                 *           "minSellPrice": 0
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["WebhookBotWrite"];
            };
        };
        responses: {
            /** @description Create a webhook bot */
            200: {
                headers: {
                    /** @description Requests that the window allows */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends */
                    "X-RateLimit-Reset"?: number;
                    /** @description The window: its name, what it allows and its seconds, as "global";q=5000;w=3600 */
                    "RateLimit-Policy"?: string;
                    /** @description The version of the object */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "The webhook bot was created",
                     *       "data": {
                     *         "id": 1020,
                     *         "name": "Trend",
                     *         "accountNumber": "PAPER-1",
                     *         "isActive": true,
                     *         "isRunning": true,
                     *         "webhookBotDetails": [
                     *           {
                     *             "symbol": "ASELS",
                     *             "algoName": "trend-follower",
                     *             "period": "1H",
                     *             "quantity": 20,
                     *             "maxBuyPrice": 0,
                     *             "minBuyPrice": 0,
                     *             "maxSellPrice": 0,
                     *             "minSellPrice": 0
                     *           }
                     *         ],
                     *         "createdDate": "2026-03-02T10:15:00.000Z",
                     *         "updatedDate": null,
                     *         "webhookUrl": "https://trading.example/webhooks/0_the-secret-of-the-bot"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @description For people to read */
                        message: string;
                        data: components["schemas"]["WebhookBot"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["Limited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getWebhookBot: {
        parameters: {
            query: {
                /**
                 * @description Code of the brokerage, case-sensitive
                 * @example PAPER
                 */
                brokerageCode: string;
            };
            header?: never;
            path: {
                /**
                 * @description Id
                 * @example 1001
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Show a webhook bot */
            200: {
                headers: {
                    /** @description Requests that the window allows */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends */
                    "X-RateLimit-Reset"?: number;
                    /** @description The window: its name, what it allows and its seconds, as "global";q=5000;w=3600 */
                    "RateLimit-Policy"?: string;
                    /** @description The version of the object */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "The webhook bot",
                     *       "data": {
                     *         "id": 1020,
                     *         "name": "Trend",
                     *         "accountNumber": "PAPER-1",
                     *         "isActive": true,
                     *         "isRunning": true,
                     *         "webhookBotDetails": [
                     *           {
                     *             "symbol": "ASELS",
                     *             "algoName": "trend-follower",
                     *             "period": "1H",
                     *             "quantity": 20,
                     *             "maxBuyPrice": 0,
                     *             "minBuyPrice": 0,
                     *             "maxSellPrice": 0,
                     *             "minSellPrice": 0
                     *           }
                     *         ],
                     *         "createdDate": "2026-03-02T10:15:00.000Z",
                     *         "updatedDate": null,
                     *         "webhookUrl": "https://trading.example/webhooks/0_the-secret-of-the-bot"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @description For people to read */
                        message: string;
                        data: components["schemas"]["WebhookBot"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["Limited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateWebhookBot: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` of the version that is meant, a list of them, or *; without it the last writer wins
                 * @example *
                 */
                "If-Match"?: string;
            };
            path: {
                /**
                 * @description Id
                 * @example 1001
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "brokerageCode": "PAPER",
                 *       "accountNumber": "PAPER-1",
                 *       "name": "Trend, hourly",
                 *       "isActive": true,
                 *       "webhookBotDetails": [
                 *         {
                 *           "symbol": "ASELS",
                 *           "algoName": "trend-follower",
                 *           "period": "1H",
                 *           "quantity": 20,
                 *           "maxBuyPrice": 0,
                 *           "minBuyPrice": 0,
                 *           "maxSellPrice": 0,
                 *           "minSellPrice": 0
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["WebhookBotWrite"];
            };
        };
        responses: {
            /** @description Update a webhook bot */
            200: {
                headers: {
                    /** @description Requests that the window allows */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends */
                    "X-RateLimit-Reset"?: number;
                    /** @description The window: its name, what it allows and its seconds, as "global";q=5000;w=3600 */
                    "RateLimit-Policy"?: string;
                    /** @description The version of the object */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "The webhook bot was updated",
                     *       "data": {
                     *         "id": 1020,
                     *         "name": "Trend, hourly",
                     *         "accountNumber": "PAPER-1",
                     *         "isActive": true,
                     *         "isRunning": true,
                     *         "webhookBotDetails": [
                     *           {
                     *             "symbol": "ASELS",
                     *             "algoName": "trend-follower",
                     *             "period": "1H",
                     *             "quantity": 20,
                     *             "maxBuyPrice": 0,
                     *             "minBuyPrice": 0,
                     *             "maxSellPrice": 0,
                     *             "minSellPrice": 0
                     *           }
                     *         ],
                     *         "createdDate": "2026-03-02T10:15:00.000Z",
                     *         "updatedDate": "2026-03-02T11:40:12.250Z",
                     *         "webhookUrl": "https://trading.example/webhooks/0_the-secret-of-the-bot"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @description For people to read */
                        message: string;
                        data: components["schemas"]["WebhookBot"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["Limited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteWebhookBot: {
        parameters: {
            query?: {
                /**
                 * @description Code of the brokerage, case-sensitive
                 * @example PAPER
                 */
                brokerageCode?: string;
            };
            header?: {
                /**
                 * @description The `ETag` of the version that is meant, a list of them, or *; without it the last writer wins
                 * @example *
                 */
                "If-Match"?: string;
            };
            path: {
                /**
                 * @description Id
                 * @example 1001
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Delete a webhook bot */
            200: {
                headers: {
                    /** @description Requests that the window allows */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends */
                    "X-RateLimit-Reset"?: number;
                    /** @description The window: its name, what it allows and its seconds, as "global";q=5000;w=3600 */
                    "RateLimit-Policy"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "The webhook bot was deleted",
                     *       "data": true
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @description For people to read */
                        message: string;
                        /** @constant */
                        data: true;
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["Limited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listWebhookBotPairHistory: {
        parameters: {
            query: {
                /**
                 * @description Code of the brokerage, case-sensitive
                 * @example PAPER
                 */
                brokerageCode: string;
                /**
                 * @description The account's accountNumber or its number
                 * @example PAPER-1
                 */
                accountNumber: string;
                /**
                 * @description From 1
                 * @example 1
                 */
                page?: number;
                /**
                 * @description Items of a page
                 * @example 10
                 */
                pageSize?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description List the closed pair orders of an account's webhook bots, newest first */
            200: {
                headers: {
                    /** @description Requests that the window allows */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends */
                    "X-RateLimit-Reset"?: number;
                    /** @description The window: its name, what it allows and its seconds, as "global";q=5000;w=3600 */
                    "RateLimit-Policy"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "The pair order history of the account",
                     *       "data": {
                     *         "items": [
                     *           {
                     *             "id": 1020001,
                     *             "systemId": 1020,
                     *             "symbol": "ASELS",
                     *             "buyQuantity": 5,
                     *             "buyOrderNo": "PAPER-18",
                     *             "buyOrderDate": "2026-03-02T10:15:00.000Z",
                     *             "sellQuantity": 5,
                     *             "sellOrderNo": "PAPER-21",
                     *             "sellOrderDate": "2026-03-02T11:40:12.250Z",
                     *             "description": "",
                     *             "hourCount": 1,
                     *             "profit": 6.5
                     *           }
                     *         ],
                     *         "totalCount": 1,
                     *         "page": 1,
                     *         "pageSize": 10
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @description For people to read */
                        message: string;
                        data: components["schemas"]["PairHistory"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["Limited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listWebhookBotTotals: {
        parameters: {
            query: {
                /**
                 * @description Code of the brokerage, case-sensitive
                 * @example PAPER
                 */
                brokerageCode: string;
                /**
                 * @description The account's accountNumber or its number
                 * @example PAPER-1
                 */
                accountNumber: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description List what each of an account's webhook bots brought and holds */
            200: {
                headers: {
                    /** @description Requests that the window allows */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends */
                    "X-RateLimit-Reset"?: number;
                    /** @description The window: its name, what it allows and its seconds, as "global";q=5000;w=3600 */
                    "RateLimit-Policy"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "The totals of the account's webhook bots",
                     *       "data": [
                     *         {
                     *           "systemId": 1020,
                     *           "closedCount": 137,
                     *           "buyFailedCount": 1,
                     *           "winCount": 129,
                     *           "lossCount": 7,
                     *           "profit": 418.75,
                     *           "grossProfit": 502.5,
                     *           "grossLoss": 83.75,
                     *           "profitFactor": 6,
                     *           "winRate": 0.9485,
                     *           "largestDrawdown": 31.25,
                     *           "highestProfit": 425,
                     *           "openCount": 0,
                     *           "open": []
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @description For people to read */
                        message: string;
                        data: components["schemas"]["BotTotals"][];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["Limited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    rotateWebhookSecret: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` of the version that is meant, a list of them, or *; without it the last writer wins
                 * @example *
                 */
                "If-Match"?: string;
            };
            path: {
                /**
                 * @description Id
                 * @example 1001
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Give a webhook bot a new address */
            200: {
                headers: {
                    /** @description Requests that the window allows */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends */
                    "X-RateLimit-Reset"?: number;
                    /** @description The window: its name, what it allows and its seconds, as "global";q=5000;w=3600 */
                    "RateLimit-Policy"?: string;
                    /** @description The version of the object */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "The webhook bot has a new address",
                     *       "data": {
                     *         "id": 1020,
                     *         "name": "Trend",
                     *         "accountNumber": "PAPER-1",
                     *         "isActive": true,
                     *         "isRunning": true,
                     *         "webhookBotDetails": [
                     *           {
                     *             "symbol": "ASELS",
                     *             "algoName": "trend-follower",
                     *             "period": "1H",
                     *             "quantity": 20,
                     *             "maxBuyPrice": 0,
                     *             "minBuyPrice": 0,
                     *             "maxSellPrice": 0,
                     *             "minSellPrice": 0
                     *           }
                     *         ],
                     *         "createdDate": "2026-03-02T10:15:00.000Z",
                     *         "updatedDate": null,
                     *         "webhookUrl": "https://trading.example/webhooks/0_the-secret-of-the-bot"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @description For people to read */
                        message: string;
                        data: components["schemas"]["WebhookBot"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["Limited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listWebhookBotPairs: {
        parameters: {
            query: {
                /**
                 * @description Code of the brokerage, case-sensitive
                 * @example PAPER
                 */
                brokerageCode: string;
            };
            header?: never;
            path: {
                /**
                 * @description Id
                 * @example 1001
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description List the active pair orders of a webhook bot */
            200: {
                headers: {
                    /** @description Requests that the window allows */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends */
                    "X-RateLimit-Reset"?: number;
                    /** @description The window: its name, what it allows and its seconds, as "global";q=5000;w=3600 */
                    "RateLimit-Policy"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "The active pair orders of the bot",
                     *       "data": [
                     *         {
                     *           "id": 1020001,
                     *           "systemId": 1020,
                     *           "symbol": "ASELS",
                     *           "buyQuantity": 5,
                     *           "buyStatus": 2,
                     *           "buyOrderNo": "PAPER-18",
                     *           "buyOrderDate": "2026-03-02T10:15:00.000Z",
                     *           "sellQuantity": 5,
                     *           "sellStatus": 0,
                     *           "sellOrderNo": null,
                     *           "sellOrderDate": null,
                     *           "buyPrice": 120.4,
                     *           "algoName": "trend-follower",
                     *           "period": "1H",
                     *           "accountNumber": "PAPER-1"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @description For people to read */
                        message: string;
                        data: components["schemas"]["WebhookBotPair"][];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["Limited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listSymbolLists: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description List the symbol lists that you may read */
            200: {
                headers: {
                    /** @description Requests that the window allows */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends */
                    "X-RateLimit-Reset"?: number;
                    /** @description The window: its name, what it allows and its seconds, as "global";q=5000;w=3600 */
                    "RateLimit-Policy"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "The symbol lists",
                     *       "data": [
                     *         {
                     *           "id": 1030,
                     *           "name": "Banks",
                     *           "description": "Banks I follow",
                     *           "symbolCount": 2,
                     *           "listType": "CUSTOM",
                     *           "isPublic": false
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @description For people to read */
                        message: string;
                        data: components["schemas"]["SymbolListItem"][];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["Limited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    createSymbolList: {
        parameters: {
            query?: never;
            header?: {
                /** @description The first answer is given again for the same user, path and body for 24 hours */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Banks",
                 *       "description": "Banks I follow",
                 *       "symbols": [
                 *         "AKBNK",
                 *         "GARAN"
                 *       ],
                 *       "listType": "CUSTOM",
                 *       "isPublic": false
                 *     }
                 */
                "application/json": {
                    name: string;
                    description?: string | null;
                    /** @description Known symbols; duplicates are folded */
                    symbols: string[];
                    /** @description CUSTOM, also where it is left out */
                    listType?: string | null;
                    /** @description Whether all may read it; left out: false */
                    isPublic?: boolean | null;
                };
            };
        };
        responses: {
            /** @description Create a symbol list */
            200: {
                headers: {
                    /** @description Requests that the window allows */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends */
                    "X-RateLimit-Reset"?: number;
                    /** @description The window: its name, what it allows and its seconds, as "global";q=5000;w=3600 */
                    "RateLimit-Policy"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "The symbol list was created",
                     *       "data": {
                     *         "id": 1030,
                     *         "name": "Banks",
                     *         "description": "Banks I follow",
                     *         "symbolCount": 2,
                     *         "listType": "CUSTOM",
                     *         "isPublic": false,
                     *         "symbols": [
                     *           "AKBNK",
                     *           "GARAN"
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @description For people to read */
                        message: string;
                        data: components["schemas"]["SymbolListWritten"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["Limited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getSymbolList: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id
                 * @example 1001
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One symbol list */
            200: {
                headers: {
                    /** @description Requests that the window allows */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends */
                    "X-RateLimit-Reset"?: number;
                    /** @description The window: its name, what it allows and its seconds, as "global";q=5000;w=3600 */
                    "RateLimit-Policy"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "The symbol list",
                     *       "data": {
                     *         "id": 1030,
                     *         "name": "Banks",
                     *         "symbols": [
                     *           "AKBNK",
                     *           "GARAN"
                     *         ],
                     *         "listType": "CUSTOM"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @description For people to read */
                        message: string;
                        data: components["schemas"]["SymbolListDetail"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["Limited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateSymbolList: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id
                 * @example 1001
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Banks",
                 *       "description": "Banks I follow",
                 *       "symbols": [
                 *         "AKBNK",
                 *         "GARAN"
                 *       ]
                 *     }
                 */
                "application/json": {
                    name: string;
                    description?: string | null;
                    /** @description Known symbols; duplicates are folded */
                    symbols: string[];
                };
            };
        };
        responses: {
            /** @description Change name, description and symbols of your symbol list */
            200: {
                headers: {
                    /** @description Requests that the window allows */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends */
                    "X-RateLimit-Reset"?: number;
                    /** @description The window: its name, what it allows and its seconds, as "global";q=5000;w=3600 */
                    "RateLimit-Policy"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "The symbol list was changed",
                     *       "data": {
                     *         "id": 1030,
                     *         "name": "Banks",
                     *         "description": "Banks I follow",
                     *         "symbolCount": 2,
                     *         "listType": "CUSTOM",
                     *         "isPublic": false,
                     *         "symbols": [
                     *           "AKBNK",
                     *           "GARAN"
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @description For people to read */
                        message: string;
                        data: components["schemas"]["SymbolListWritten"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["Limited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteSymbolList: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id
                 * @example 1001
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Delete your symbol list */
            200: {
                headers: {
                    /** @description Requests that the window allows */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends */
                    "X-RateLimit-Reset"?: number;
                    /** @description The window: its name, what it allows and its seconds, as "global";q=5000;w=3600 */
                    "RateLimit-Policy"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "The symbol list was deleted"
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @description For people to read */
                        message: string;
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["Limited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listSymbols: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description List all symbols */
            200: {
                headers: {
                    /** @description Requests that the window allows */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends */
                    "X-RateLimit-Reset"?: number;
                    /** @description The window: its name, what it allows and its seconds, as "global";q=5000;w=3600 */
                    "RateLimit-Policy"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "All symbols",
                     *       "data": [
                     *         {
                     *           "symbol": "THYAO",
                     *           "name": "Turk Hava Yollari",
                     *           "exchange": "BIST",
                     *           "isActive": true
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @description For people to read */
                        message: string;
                        data: components["schemas"]["Symbol"][];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["Limited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getSymbol: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Symbol code, as it is written: THYAO
                 * @example THYAO
                 */
                symbol: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One symbol */
            200: {
                headers: {
                    /** @description Requests that the window allows */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends */
                    "X-RateLimit-Reset"?: number;
                    /** @description The window: its name, what it allows and its seconds, as "global";q=5000;w=3600 */
                    "RateLimit-Policy"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "The symbol",
                     *       "data": {
                     *         "symbol": "THYAO",
                     *         "name": "Turk Hava Yollari",
                     *         "exchange": "BIST",
                     *         "isActive": true
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @description For people to read */
                        message: string;
                        data: components["schemas"]["Symbol"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["Limited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getBand: {
        parameters: {
            query?: {
                /**
                 * @description Code of the brokerage, case-sensitive
                 * @example PAPER
                 */
                brokerageCode?: string;
            };
            header?: never;
            path: {
                /**
                 * @description symbol
                 * @example THYAO
                 */
                symbol: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Today's band of a symbol */
            200: {
                headers: {
                    /** @description Requests that the window allows */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends */
                    "X-RateLimit-Reset"?: number;
                    /** @description The window: its name, what it allows and its seconds, as "global";q=5000;w=3600 */
                    "RateLimit-Policy"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "The band of the symbol",
                     *       "data": {
                     *         "symbol": "THYAO",
                     *         "floorPrice": 270,
                     *         "ceilingPrice": 330,
                     *         "basePrice": 300,
                     *         "bandDate": "2026-03-02",
                     *         "source": "operator"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @description For people to read */
                        message: string;
                        data: components["schemas"]["DayBand"] | null;
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["Limited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getSession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description symbol
                 * @example THYAO
                 */
                symbol: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The session of a symbol's exchange */
            200: {
                headers: {
                    /** @description Requests that the window allows */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends */
                    "X-RateLimit-Reset"?: number;
                    /** @description The window: its name, what it allows and its seconds, as "global";q=5000;w=3600 */
                    "RateLimit-Policy"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "The session of the exchange",
                     *       "data": {
                     *         "symbol": "THYAO",
                     *         "mic": "XIST",
                     *         "phase": "continuous trading",
                     *         "takes": [
                     *           "market",
                     *           "limit"
                     *         ],
                     *         "changeDate": "2026-03-02T15:00:00.000Z",
                     *         "nextPhase": "closing auction"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @description For people to read */
                        message: string;
                        data: components["schemas"]["Session"] | null;
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["Limited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listBars: {
        parameters: {
            query?: {
                /** @description The length of a period; a day is one of the zone of the symbol's exchange */
                interval?: "1m" | "5m" | "15m" | "1h" | "1d";
                /** @description Bars that begin then or later, ISO 8601; default: `limit` periods before `to` */
                from?: string;
                /** @description Bars that begin then or earlier, ISO 8601; default: now */
                to?: string;
                /** @description limit */
                limit?: number;
            };
            header?: never;
            path: {
                /**
                 * @description symbol
                 * @example THYAO
                 */
                symbol: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What the price of a symbol did before */
            200: {
                headers: {
                    /** @description Requests that the window allows */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends */
                    "X-RateLimit-Reset"?: number;
                    /** @description The window: its name, what it allows and its seconds, as "global";q=5000;w=3600 */
                    "RateLimit-Policy"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "The bars of the symbol",
                     *       "data": [
                     *         {
                     *           "time": "2026-03-02T07:00:00.000Z",
                     *           "open": 300,
                     *           "high": 301.5,
                     *           "low": 299.75,
                     *           "close": 301
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @description For people to read */
                        message: string;
                        data: components["schemas"]["Bar"][];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["Limited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listListTypes: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description List the list types */
            200: {
                headers: {
                    /** @description Requests that the window allows */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends */
                    "X-RateLimit-Reset"?: number;
                    /** @description The window: its name, what it allows and its seconds, as "global";q=5000;w=3600 */
                    "RateLimit-Policy"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "The list types",
                     *       "data": [
                     *         {
                     *           "id": 2,
                     *           "code": "CUSTOM",
                     *           "name": "Custom",
                     *           "description": "A user's own list"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @description For people to read */
                        message: string;
                        data: components["schemas"]["ListType"][];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["Limited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getListType: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id
                 * @example 1001
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One list type */
            200: {
                headers: {
                    /** @description Requests that the window allows */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends */
                    "X-RateLimit-Reset"?: number;
                    /** @description The window: its name, what it allows and its seconds, as "global";q=5000;w=3600 */
                    "RateLimit-Policy"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "The list type",
                     *       "data": {
                     *         "id": 2,
                     *         "code": "CUSTOM",
                     *         "name": "Custom",
                     *         "description": "A user's own list"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @description For people to read */
                        message: string;
                        data: components["schemas"]["ListType"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["Limited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listRestrictedSymbols: {
        parameters: {
            query?: {
                /**
                 * @description Number or exact name: 1 AcigaSatisYasagi, 2 KredliIslemYasagi, 3 BrutTakas, 4 TekFiyatIslem, 5 EmirIptalYasagi, 6 AcilisKapanisIslemKisiti, 7 DegerTavani, 8 IslemSirasiKapatma, 99 Diger
                 * @example BrutTakas
                 */
                restrictionType?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description List the symbols with an active restriction */
            200: {
                headers: {
                    /** @description Requests that the window allows */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends */
                    "X-RateLimit-Reset"?: number;
                    /** @description The window: its name, what it allows and its seconds, as "global";q=5000;w=3600 */
                    "RateLimit-Policy"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "The symbols with an active restriction",
                     *       "data": [
                     *         {
                     *           "symbolId": 1040,
                     *           "code": "HEKTS",
                     *           "name": "Hektas",
                     *           "logoUrl": "",
                     *           "restrictions": [
                     *             {
                     *               "restrictionType": 3,
                     *               "restrictionTypeName": "BrutTakas",
                     *               "validFrom": "2026-01-05T07:00:00.000Z",
                     *               "validTo": null,
                     *               "sourceRef": "KAP 2026/17"
                     *             }
                     *           ]
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @description For people to read */
                        message: string;
                        data: components["schemas"]["RestrictedSymbol"][];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["Limited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    checkRestriction: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Symbol code, as it is written: THYAO
                 * @example HEKTS
                 */
                code: string;
                /**
                 * @description Number or exact name: 1 AcigaSatisYasagi, 2 KredliIslemYasagi, 3 BrutTakas, 4 TekFiyatIslem, 5 EmirIptalYasagi, 6 AcilisKapanisIslemKisiti, 7 DegerTavani, 8 IslemSirasiKapatma, 99 Diger
                 * @example BrutTakas
                 */
                restrictionType: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Is a symbol under a restriction now? */
            200: {
                headers: {
                    /** @description Requests that the window allows */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends */
                    "X-RateLimit-Reset"?: number;
                    /** @description The window: its name, what it allows and its seconds, as "global";q=5000;w=3600 */
                    "RateLimit-Policy"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "Whether the symbol is restricted",
                     *       "data": {
                     *         "code": "HEKTS",
                     *         "restrictionType": 3,
                     *         "restrictionTypeName": "BrutTakas",
                     *         "isRestricted": true,
                     *         "validFrom": "2026-01-05T07:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @description For people to read */
                        message: string;
                        data: components["schemas"]["RestrictionCheck"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["Limited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listSymbolsByRestriction: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Number or exact name: 1 AcigaSatisYasagi, 2 KredliIslemYasagi, 3 BrutTakas, 4 TekFiyatIslem, 5 EmirIptalYasagi, 6 AcilisKapanisIslemKisiti, 7 DegerTavani, 8 IslemSirasiKapatma, 99 Diger
                 * @example BrutTakas
                 */
                restrictionType: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description List the symbols under a restriction now */
            200: {
                headers: {
                    /** @description Requests that the window allows */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends */
                    "X-RateLimit-Reset"?: number;
                    /** @description The window: its name, what it allows and its seconds, as "global";q=5000;w=3600 */
                    "RateLimit-Policy"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "The symbols under the restriction",
                     *       "data": [
                     *         {
                     *           "symbolId": 1040,
                     *           "code": "HEKTS",
                     *           "name": "Hektas",
                     *           "logoUrl": "",
                     *           "validFrom": "2026-01-05T07:00:00.000Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @description For people to read */
                        message: string;
                        data: components["schemas"]["SymbolUnderRestriction"][];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["Limited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listRestrictionsOfSymbol: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Symbol code, as it is written: THYAO
                 * @example HEKTS
                 */
                code: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description List the restrictions of a symbol, active and past */
            200: {
                headers: {
                    /** @description Requests that the window allows */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends */
                    "X-RateLimit-Reset"?: number;
                    /** @description The window: its name, what it allows and its seconds, as "global";q=5000;w=3600 */
                    "RateLimit-Policy"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "The restrictions of the symbol",
                     *       "data": [
                     *         {
                     *           "id": 1041,
                     *           "symbolId": 1040,
                     *           "code": "HEKTS",
                     *           "name": "Hektas",
                     *           "logoUrl": "",
                     *           "restrictionType": 3,
                     *           "restrictionTypeName": "BrutTakas",
                     *           "validFrom": "2026-01-05T07:00:00.000Z",
                     *           "validTo": null,
                     *           "sourceRef": "KAP 2026/17",
                     *           "isActive": true
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @description For people to read */
                        message: string;
                        data: components["schemas"]["Restriction"][];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["Limited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    followEvents: {
        parameters: {
            query?: {
                /** @description Only these event types, separated by commas; `oco.*` means all that begin so */
                types?: string;
                /** @description Also price events of these symbols, separated by commas */
                prices?: string;
                /** @description As the header Last-Event-ID, for clients that cannot set it; the header wins */
                lastEventId?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Follow events */
            200: {
                headers: {
                    /** @description Requests that the window allows */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends */
                    "X-RateLimit-Reset"?: number;
                    /** @description The window: its name, what it allows and its seconds, as "global";q=5000;w=3600 */
                    "RateLimit-Policy"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["Limited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listLastPrices: {
        parameters: {
            query?: {
                /** @description Symbols separated by commas; give this or list */
                symbols?: string;
                /** @description Id of a symbol list that you may read; give this or symbols */
                list?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Last prices */
            200: {
                headers: {
                    /** @description Requests that the window allows */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends */
                    "X-RateLimit-Reset"?: number;
                    /** @description The window: its name, what it allows and its seconds, as "global";q=5000;w=3600 */
                    "RateLimit-Policy"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "The last prices",
                     *       "data": [
                     *         {
                     *           "symbol": "THYAO",
                     *           "price": 290.25,
                     *           "time": "2026-03-02T10:15:00.000Z",
                     *           "ageMs": 412
                     *         },
                     *         {
                     *           "symbol": "GARAN",
                     *           "price": null,
                     *           "time": null,
                     *           "ageMs": null
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @description For people to read */
                        message: string;
                        data: components["schemas"]["LastPrice"][];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["Limited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    readConditions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Whether prices and orders flow */
            200: {
                headers: {
                    /** @description Requests that the window allows */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends */
                    "X-RateLimit-Reset"?: number;
                    /** @description The window: its name, what it allows and its seconds, as "global";q=5000;w=3600 */
                    "RateLimit-Policy"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "The conditions",
                     *       "data": {
                     *         "feed": {
                     *           "state": "live",
                     *           "silentMs": 240,
                     *           "publishers": []
                     *         },
                     *         "brokerages": [
                     *           {
                     *             "code": "PAPER",
                     *             "name": "Paper Brokerage",
                     *             "state": "up",
                     *             "since": null,
                     *             "resend": "idempotent",
                     *             "refusal": null
                     *           }
                     *         ],
                     *         "heldSymbols": [],
                     *         "cluster": null
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @description For people to read */
                        message: string;
                        data: components["schemas"]["Conditions"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["Limited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listUsers: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description List the users */
            200: {
                headers: {
                    /** @description Requests that the window allows */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends */
                    "X-RateLimit-Reset"?: number;
                    /** @description The window: its name, what it allows and its seconds, as "global";q=5000;w=3600 */
                    "RateLimit-Policy"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "The users",
                     *       "data": [
                     *         {
                     *           "userId": 1050,
                     *           "name": "Ayse",
                     *           "createdDate": "2026-03-02T10:15:00.000Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @description For people to read */
                        message: string;
                        data: components["schemas"]["ListedUser"][];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["Limited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    createUser: {
        parameters: {
            query?: never;
            header?: {
                /** @description The first answer is given again for the same user, path and body for 24 hours */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Ayse"
                 *     }
                 */
                "application/json": {
                    name: string;
                };
            };
        };
        responses: {
            /** @description Create a user */
            200: {
                headers: {
                    /** @description Requests that the window allows */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends */
                    "X-RateLimit-Reset"?: number;
                    /** @description The window: its name, what it allows and its seconds, as "global";q=5000;w=3600 */
                    "RateLimit-Policy"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "The user was created",
                     *       "data": {
                     *         "userId": 1050,
                     *         "name": "Ayse"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @description For people to read */
                        message: string;
                        data: components["schemas"]["User"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["Limited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listApiKeys: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id
                 * @example 1050
                 */
                userId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description List a user's API keys */
            200: {
                headers: {
                    /** @description Requests that the window allows */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends */
                    "X-RateLimit-Reset"?: number;
                    /** @description The window: its name, what it allows and its seconds, as "global";q=5000;w=3600 */
                    "RateLimit-Policy"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "The user's API keys",
                     *       "data": [
                     *         {
                     *           "keyId": 1051,
                     *           "name": "backtest",
                     *           "scopes": [
                     *             "read",
                     *             "trade"
                     *           ],
                     *           "createdDate": "2026-03-02T10:15:00.000Z",
                     *           "revokedDate": null
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @description For people to read */
                        message: string;
                        data: components["schemas"]["ApiKey"][];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["Limited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    createApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id
                 * @example 1050
                 */
                userId: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "backtest",
                 *       "scopes": [
                 *         "read",
                 *         "trade"
                 *       ]
                 *     }
                 */
                "application/json": {
                    name: string;
                    scopes: ("read" | "trade" | "admin")[];
                };
            };
        };
        responses: {
            /** @description Create an API key */
            200: {
                headers: {
                    /** @description Requests that the window allows */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends */
                    "X-RateLimit-Reset"?: number;
                    /** @description The window: its name, what it allows and its seconds, as "global";q=5000;w=3600 */
                    "RateLimit-Policy"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "The API key was created",
                     *       "data": {
                     *         "keyId": 1051,
                     *         "apiKey": "tdk_live_ and 43 characters",
                     *         "name": "backtest",
                     *         "scopes": [
                     *           "read",
                     *           "trade"
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @description For people to read */
                        message: string;
                        data: components["schemas"]["CreatedApiKey"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["Limited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    revokeApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id
                 * @example 1050
                 */
                userId: number;
                /**
                 * @description Id
                 * @example 1051
                 */
                keyId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Revoke an API key */
            200: {
                headers: {
                    /** @description Requests that the window allows */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends */
                    "X-RateLimit-Reset"?: number;
                    /** @description The window: its name, what it allows and its seconds, as "global";q=5000;w=3600 */
                    "RateLimit-Policy"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "The API key was revoked",
                     *       "data": true
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @description For people to read */
                        message: string;
                        /** @constant */
                        data: true;
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["Limited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listNotificationTargets: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description List notification targets */
            200: {
                headers: {
                    /** @description Requests that the window allows */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends */
                    "X-RateLimit-Reset"?: number;
                    /** @description The window: its name, what it allows and its seconds, as "global";q=5000;w=3600 */
                    "RateLimit-Policy"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "The notification targets",
                     *       "data": [
                     *         {
                     *           "id": 1040,
                     *           "kind": "webhook",
                     *           "name": "My desk",
                     *           "address": "https://example.com/hook",
                     *           "events": [
                     *             "oco.*",
                     *             "order.quarantined"
                     *           ],
                     *           "isActive": true,
                     *           "state": "idle",
                     *           "failureMessage": null,
                     *           "failingSince": null,
                     *           "skippedCount": 0,
                     *           "lastSkipped": null,
                     *           "lastDelivery": {
                     *             "time": "2026-03-02T11:40:12.250Z",
                     *             "message": null
                     *           },
                     *           "createdDate": "2026-03-02T10:15:00.000Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @description For people to read */
                        message: string;
                        data: components["schemas"]["NotificationTarget"][];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["Limited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    createNotificationTarget: {
        parameters: {
            query?: never;
            header?: {
                /** @description The first answer is given again for the same user, path and body for 24 hours */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "kind": "webhook",
                 *       "name": "My desk",
                 *       "events": [
                 *         "oco.*",
                 *         "order.quarantined"
                 *       ],
                 *       "isActive": true,
                 *       "url": "https://example.com/hook"
                 *     }
                 */
                "application/json": components["schemas"]["NotificationTargetWrite"];
            };
        };
        responses: {
            /** @description Send events somewhere */
            200: {
                headers: {
                    /** @description Requests that the window allows */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends */
                    "X-RateLimit-Reset"?: number;
                    /** @description The window: its name, what it allows and its seconds, as "global";q=5000;w=3600 */
                    "RateLimit-Policy"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "The target was made",
                     *       "data": {
                     *         "id": 1040,
                     *         "kind": "webhook",
                     *         "name": "My desk",
                     *         "address": "https://example.com/hook",
                     *         "events": [
                     *           "oco.*",
                     *           "order.quarantined"
                     *         ],
                     *         "isActive": true,
                     *         "state": "idle",
                     *         "failureMessage": null,
                     *         "failingSince": null,
                     *         "skippedCount": 0,
                     *         "lastSkipped": null,
                     *         "lastDelivery": {
                     *           "time": "2026-03-02T11:40:12.250Z",
                     *           "message": null
                     *         },
                     *         "createdDate": "2026-03-02T10:15:00.000Z",
                     *         "secret": "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @description For people to read */
                        message: string;
                        data: components["schemas"]["CreatedNotificationTarget"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["Limited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateNotificationTarget: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id
                 * @example 1001
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "kind": "webhook",
                 *       "name": "My desk",
                 *       "events": [
                 *         "oco.*",
                 *         "order.quarantined"
                 *       ],
                 *       "isActive": true,
                 *       "url": "https://example.com/hook"
                 *     }
                 */
                "application/json": components["schemas"]["NotificationTargetWrite"];
            };
        };
        responses: {
            /** @description Change a notification target */
            200: {
                headers: {
                    /** @description Requests that the window allows */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends */
                    "X-RateLimit-Reset"?: number;
                    /** @description The window: its name, what it allows and its seconds, as "global";q=5000;w=3600 */
                    "RateLimit-Policy"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "The target was changed",
                     *       "data": {
                     *         "id": 1040,
                     *         "kind": "webhook",
                     *         "name": "My desk",
                     *         "address": "https://example.com/hook",
                     *         "events": [
                     *           "oco.*",
                     *           "order.quarantined"
                     *         ],
                     *         "isActive": true,
                     *         "state": "idle",
                     *         "failureMessage": null,
                     *         "failingSince": null,
                     *         "skippedCount": 0,
                     *         "lastSkipped": null,
                     *         "lastDelivery": {
                     *           "time": "2026-03-02T11:40:12.250Z",
                     *           "message": null
                     *         },
                     *         "createdDate": "2026-03-02T10:15:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @description For people to read */
                        message: string;
                        data: components["schemas"]["NotificationTarget"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["Limited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteNotificationTarget: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id
                 * @example 1001
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Remove a notification target */
            200: {
                headers: {
                    /** @description Requests that the window allows */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends */
                    "X-RateLimit-Reset"?: number;
                    /** @description The window: its name, what it allows and its seconds, as "global";q=5000;w=3600 */
                    "RateLimit-Policy"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "The target was removed",
                     *       "data": true
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @description For people to read */
                        message: string;
                        /** @constant */
                        data: true;
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["Limited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    testNotificationTarget: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id
                 * @example 1001
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Send a test message */
            200: {
                headers: {
                    /** @description Requests that the window allows */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends */
                    "X-RateLimit-Reset"?: number;
                    /** @description The window: its name, what it allows and its seconds, as "global";q=5000;w=3600 */
                    "RateLimit-Policy"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "The test was sent",
                     *       "data": {
                     *         "delivered": true,
                     *         "message": "The test message was taken"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @description For people to read */
                        message: string;
                        data: {
                            delivered: boolean;
                            message: string;
                        };
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["Limited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    writeSymbols: {
        parameters: {
            query?: never;
            header?: {
                /** @description The first answer is given again for the same user, path and body for 24 hours */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "symbols": [
                 *         {
                 *           "symbol": "THYAO",
                 *           "name": "Turk Hava Yollari",
                 *           "exchange": "BIST",
                 *           "isActive": true,
                 *           "logoUrl": "https://logos.example/thyao.svg",
                 *           "floorPrice": 270,
                 *           "ceilingPrice": 330,
                 *           "basePrice": 300,
                 *           "bandDate": "2026-03-02"
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": {
                    symbols: components["schemas"]["SymbolWrite"][];
                };
            };
        };
        responses: {
            /** @description Add and change symbols */
            200: {
                headers: {
                    /** @description Requests that the window allows */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends */
                    "X-RateLimit-Reset"?: number;
                    /** @description The window: its name, what it allows and its seconds, as "global";q=5000;w=3600 */
                    "RateLimit-Policy"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "The symbols were written",
                     *       "data": {
                     *         "written": 1
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @description For people to read */
                        message: string;
                        data: {
                            written: number;
                        };
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["Limited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    writeRestrictions: {
        parameters: {
            query?: never;
            header?: {
                /** @description The first answer is given again for the same user, path and body for 24 hours */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "restrictions": [
                 *         {
                 *           "code": "HEKTS",
                 *           "restrictionType": "BrutTakas",
                 *           "validFrom": "2026-01-05T10:00:00+03:00",
                 *           "sourceRef": "KAP 2026/17"
                 *         },
                 *         {
                 *           "code": "HEKTS",
                 *           "restrictionType": "Diger",
                 *           "validFrom": "2026-01-05T10:00:00+03:00",
                 *           "sourceRef": "KAP 2026/18",
                 *           "effects": {
                 *             "noMarket": true
                 *           }
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": {
                    restrictions: components["schemas"]["RestrictionWrite"][];
                };
            };
        };
        responses: {
            /** @description Add restrictions */
            200: {
                headers: {
                    /** @description Requests that the window allows */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends */
                    "X-RateLimit-Reset"?: number;
                    /** @description The window: its name, what it allows and its seconds, as "global";q=5000;w=3600 */
                    "RateLimit-Policy"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "The restrictions were added",
                     *       "data": {
                     *         "ids": [
                     *           1041,
                     *           1042
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @description For people to read */
                        message: string;
                        data: {
                            ids: number[];
                        };
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["Limited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    endRestriction: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id
                 * @example 1001
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "validTo": "2026-02-05T18:00:00+03:00"
                 *     }
                 */
                "application/json": {
                    validTo: string;
                };
            };
        };
        responses: {
            /** @description End a restriction */
            200: {
                headers: {
                    /** @description Requests that the window allows */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends */
                    "X-RateLimit-Reset"?: number;
                    /** @description The window: its name, what it allows and its seconds, as "global";q=5000;w=3600 */
                    "RateLimit-Policy"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "The restriction was ended",
                     *       "data": {
                     *         "id": 1041,
                     *         "symbolId": 1040,
                     *         "code": "HEKTS",
                     *         "name": "Hektas",
                     *         "logoUrl": "",
                     *         "restrictionType": 3,
                     *         "restrictionTypeName": "BrutTakas",
                     *         "validFrom": "2026-01-05T07:00:00.000Z",
                     *         "validTo": "2026-02-05T15:00:00.000Z",
                     *         "sourceRef": "KAP 2026/17",
                     *         "isActive": false
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @description For people to read */
                        message: string;
                        data: components["schemas"]["Restriction"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["Limited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    writeBand: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description symbol
                 * @example THYAO
                 */
                symbol: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "floorPrice": 270,
                 *       "ceilingPrice": 330,
                 *       "basePrice": 300
                 *     }
                 */
                "application/json": components["schemas"]["DayBandWrite"];
            };
        };
        responses: {
            /** @description Set the band of a symbol for a day */
            200: {
                headers: {
                    /** @description Requests that the window allows */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends */
                    "X-RateLimit-Reset"?: number;
                    /** @description The window: its name, what it allows and its seconds, as "global";q=5000;w=3600 */
                    "RateLimit-Policy"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "The band was set",
                     *       "data": true
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @description For people to read */
                        message: string;
                        /** @constant */
                        data: true;
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["Limited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listHeldSymbols: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description List the held symbols */
            200: {
                headers: {
                    /** @description Requests that the window allows */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends */
                    "X-RateLimit-Reset"?: number;
                    /** @description The window: its name, what it allows and its seconds, as "global";q=5000;w=3600 */
                    "RateLimit-Policy"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "The held symbols",
                     *       "data": [
                     *         {
                     *           "since": "2026-03-02T07:00:00.000Z",
                     *           "by": "guard",
                     *           "reason": "its first price of the session is 50, the last one before was 100",
                     *           "from": 100,
                     *           "to": 50,
                     *           "symbol": "THYAO",
                     *           "partition": 0,
                     *           "releasedGroups": 0
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @description For people to read */
                        message: string;
                        data: components["schemas"]["HeldSymbol"][];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["Limited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    holdSymbol: {
        parameters: {
            query?: never;
            header?: {
                /** @description The first answer is given again for the same user, path and body for 24 hours */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description symbol
                 * @example THYAO
                 */
                symbol: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "reason": "prices of a wrong venue"
                 *     }
                 */
                "application/json": components["schemas"]["SymbolHold"];
            };
        };
        responses: {
            /** @description Hold a symbol */
            200: {
                headers: {
                    /** @description Requests that the window allows */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends */
                    "X-RateLimit-Reset"?: number;
                    /** @description The window: its name, what it allows and its seconds, as "global";q=5000;w=3600 */
                    "RateLimit-Policy"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "The symbol is held",
                     *       "data": {
                     *         "symbol": "THYAO",
                     *         "isChanged": true
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @description For people to read */
                        message: string;
                        data: {
                            symbol: string;
                            /** @description False: it was so already */
                            isChanged: boolean;
                        };
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["Limited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    releaseSymbol: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description symbol
                 * @example THYAO
                 */
                symbol: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Release a held symbol */
            200: {
                headers: {
                    /** @description Requests that the window allows */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends */
                    "X-RateLimit-Reset"?: number;
                    /** @description The window: its name, what it allows and its seconds, as "global";q=5000;w=3600 */
                    "RateLimit-Policy"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "The symbol is not held",
                     *       "data": {
                     *         "symbol": "THYAO",
                     *         "isChanged": true
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @description For people to read */
                        message: string;
                        data: {
                            symbol: string;
                            /** @description False: it was so already */
                            isChanged: boolean;
                        };
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["Limited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listCorporateActions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description List the corporate actions */
            200: {
                headers: {
                    /** @description Requests that the window allows */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends */
                    "X-RateLimit-Reset"?: number;
                    /** @description The window: its name, what it allows and its seconds, as "global";q=5000;w=3600 */
                    "RateLimit-Policy"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "The corporate actions",
                     *       "data": [
                     *         {
                     *           "actionId": "THYAO-bonus-2026-03-02",
                     *           "partition": 0,
                     *           "symbol": "THYAO",
                     *           "type": "bonus",
                     *           "exDate": "2026-03-02",
                     *           "description": "bonus issue of 1 for 1 on 2026-03-02",
                     *           "enteredDate": "2026-02-26T12:00:00.000Z",
                     *           "appliedDate": null
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @description For people to read */
                        message: string;
                        data: components["schemas"]["CorporateAction"][];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["Limited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    addCorporateAction: {
        parameters: {
            query?: never;
            header?: {
                /** @description The first answer is given again for the same user, path and body for 24 hours */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "symbol": "THYAO",
                 *       "type": "bonus",
                 *       "ratio": 1,
                 *       "exDate": "2026-03-02"
                 *     }
                 */
                "application/json": components["schemas"]["CorporateActionRequest"];
            };
        };
        responses: {
            /** @description Enter a corporate action */
            200: {
                headers: {
                    /** @description Requests that the window allows */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends */
                    "X-RateLimit-Reset"?: number;
                    /** @description The window: its name, what it allows and its seconds, as "global";q=5000;w=3600 */
                    "RateLimit-Policy"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "The corporate action was entered",
                     *       "data": {
                     *         "actionId": "THYAO-bonus-2026-03-02"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @description For people to read */
                        message: string;
                        data: {
                            actionId: string;
                        };
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["Limited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    removeCorporateAction: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description actionId
                 * @example THYAO-bonus-2026-03-02
                 */
                actionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Remove a corporate action */
            200: {
                headers: {
                    /** @description Requests that the window allows */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends */
                    "X-RateLimit-Reset"?: number;
                    /** @description The window: its name, what it allows and its seconds, as "global";q=5000;w=3600 */
                    "RateLimit-Policy"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "The corporate action was removed",
                     *       "data": {
                     *         "actionId": "THYAO-bonus-2026-03-02"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @description For people to read */
                        message: string;
                        data: {
                            actionId: string;
                        };
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["Limited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    renameSymbol: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description symbol
                 * @example THYAO
                 */
                symbol: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "to": "TURKH"
                 *     }
                 */
                "application/json": components["schemas"]["SymbolRename"];
            };
        };
        responses: {
            /** @description Rename a symbol */
            200: {
                headers: {
                    /** @description Requests that the window allows */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends */
                    "X-RateLimit-Reset"?: number;
                    /** @description The window: its name, what it allows and its seconds, as "global";q=5000;w=3600 */
                    "RateLimit-Policy"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "The symbol was renamed; its levels follow now",
                     *       "data": {
                     *         "symbol": "THYAO",
                     *         "to": "TURKH",
                     *         "isChanged": true
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @description For people to read */
                        message: string;
                        data: {
                            symbol: string;
                            to: string;
                            /** @description False: it had that name already */
                            isChanged: boolean;
                        };
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["Limited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    setInstallationState: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "state": "active",
                 *       "reason": "all is well",
                 *       "confirm": "RESUME"
                 *     }
                 */
                "application/json": components["schemas"]["InstallationStateChange"];
            };
        };
        responses: {
            /** @description Halt trading of all users, let only sells pass, or resume */
            200: {
                headers: {
                    /** @description Requests that the window allows */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends */
                    "X-RateLimit-Reset"?: number;
                    /** @description The window: its name, what it allows and its seconds, as "global";q=5000;w=3600 */
                    "RateLimit-Policy"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "The trading state of the installation was set",
                     *       "data": true
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @description For people to read */
                        message: string;
                        /** @constant */
                        data: true;
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["Limited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    publishTicks: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "ticks": [
                 *         {
                 *           "symbol": "THYAO",
                 *           "price": 310.25,
                 *           "time": 1772451612250
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": {
                    ticks: components["schemas"]["Tick"][];
                };
            };
        };
        responses: {
            /** @description Send ticks */
            200: {
                headers: {
                    /** @description Requests that the window allows */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends */
                    "X-RateLimit-Reset"?: number;
                    /** @description The window: its name, what it allows and its seconds, as "global";q=5000;w=3600 */
                    "RateLimit-Policy"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "The tick was sent",
                     *       "data": {
                     *         "published": 1
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @description For people to read */
                        message: string;
                        data: {
                            published: number;
                        };
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["Limited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    publishSimulatedTicks: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "ticks": [
                 *         {
                 *           "symbol": "THYAO",
                 *           "price": 310.25
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": {
                    ticks: components["schemas"]["Tick"][];
                };
            };
        };
        responses: {
            /** @description Send ticks into a simulated market */
            200: {
                headers: {
                    /** @description Requests that the window allows */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends */
                    "X-RateLimit-Reset"?: number;
                    /** @description The window: its name, what it allows and its seconds, as "global";q=5000;w=3600 */
                    "RateLimit-Policy"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "The tick was sent",
                     *       "data": {
                     *         "published": 1
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @description For people to read */
                        message: string;
                        data: {
                            published: number;
                        };
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["Limited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listOutbox: {
        parameters: {
            query?: {
                /**
                 * @description Only this partition; default: all
                 * @example 0
                 */
                partition?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description List the orders that have no outcome yet */
            200: {
                headers: {
                    /** @description Requests that the window allows */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends */
                    "X-RateLimit-Reset"?: number;
                    /** @description The window: its name, what it allows and its seconds, as "global";q=5000;w=3600 */
                    "RateLimit-Policy"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "The orders without an outcome",
                     *       "data": [
                     *         {
                     *           "id": "order-0-18",
                     *           "type": "order",
                     *           "partition": 0,
                     *           "sequence": 18,
                     *           "clientOrderId": "k3v9x0a2mq-1003-1",
                     *           "userId": 1,
                     *           "brokerageCode": "SLOW",
                     *           "accountNumber": "S-1",
                     *           "symbol": "THYAO",
                     *           "state": "sending",
                     *           "attempt": 1,
                     *           "since": "2026-03-02T11:40:12.250Z",
                     *           "reason": ""
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @description For people to read */
                        message: string;
                        data: components["schemas"]["OutboxOrder"][];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["Limited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listQuarantine: {
        parameters: {
            query?: {
                /**
                 * @description Only this partition; default: all
                 * @example 0
                 */
                partition?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description List what waits for a person's decision */
            200: {
                headers: {
                    /** @description Requests that the window allows */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends */
                    "X-RateLimit-Reset"?: number;
                    /** @description The window: its name, what it allows and its seconds, as "global";q=5000;w=3600 */
                    "RateLimit-Policy"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "What waits for a decision",
                     *       "data": [
                     *         {
                     *           "id": "order-0-17",
                     *           "type": "order",
                     *           "partition": 0,
                     *           "sequence": 17,
                     *           "clientOrderId": "k3v9x0a2mq-1002-1",
                     *           "userId": 1,
                     *           "brokerageCode": "SLOW",
                     *           "accountNumber": "S-1",
                     *           "symbol": "THYAO",
                     *           "state": "quarantined",
                     *           "attempt": 1,
                     *           "since": "2026-03-02T11:40:12.250Z",
                     *           "reason": "no answer in time"
                     *         },
                     *         {
                     *           "id": "actor-0-1001",
                     *           "type": "actor",
                     *           "partition": 0,
                     *           "actorId": 1001,
                     *           "since": "2026-03-02T11:40:12.250Z",
                     *           "reason": "a group has two rows",
                     *           "heldEventCount": 1
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @description For people to read */
                        message: string;
                        data: (components["schemas"]["OutboxOrder"] | components["schemas"]["QuarantinedActor"] | components["schemas"]["DoubtfulOrder"])[];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["Limited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    releaseQuarantined: {
        parameters: {
            query?: never;
            header?: {
                /** @description The first answer is given again for the same user, path and body for 24 hours */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description As the quarantine shows it: order-0-17, actor-1-42, doubt-0-42
                 * @example order-0-17
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "action": "placed",
                 *       "orderNo": "S-99"
                 *     }
                 */
                "application/json": components["schemas"]["Release"];
            };
        };
        responses: {
            /** @description Release an order or an actor */
            200: {
                headers: {
                    /** @description Requests that the window allows */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends */
                    "X-RateLimit-Reset"?: number;
                    /** @description The window: its name, what it allows and its seconds, as "global";q=5000;w=3600 */
                    "RateLimit-Policy"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "It was released",
                     *       "data": {
                     *         "id": "order-0-17",
                     *         "type": "order",
                     *         "partition": 0,
                     *         "sequence": 17,
                     *         "clientOrderId": "k3v9x0a2mq-1002-1",
                     *         "userId": 1,
                     *         "brokerageCode": "SLOW",
                     *         "accountNumber": "S-1",
                     *         "symbol": "THYAO",
                     *         "state": "quarantined",
                     *         "attempt": 1,
                     *         "since": "2026-03-02T11:40:12.250Z",
                     *         "reason": "no answer in time"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @description For people to read */
                        message: string;
                        data: components["schemas"]["OutboxOrder"] | components["schemas"]["QuarantinedActor"] | components["schemas"]["DoubtfulOrder"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["Limited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    createBackup: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "folder": "/srv/trading/backups/2026-03-02"
                 *     }
                 */
                "application/json": {
                    /** @description Absolute path on the engine's machine, below its BACKUP_DIR; must not exist */
                    folder: string;
                };
            };
        };
        responses: {
            /** @description Make a backup */
            200: {
                headers: {
                    /** @description Requests that the window allows */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends */
                    "X-RateLimit-Reset"?: number;
                    /** @description The window: its name, what it allows and its seconds, as "global";q=5000;w=3600 */
                    "RateLimit-Policy"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "The backup was made",
                     *       "data": {
                     *         "folder": "/srv/trading/backups/2026-03-02",
                     *         "isDone": true,
                     *         "partitions": [
                     *           {
                     *             "partition": 0,
                     *             "folder": "/srv/trading/backups/2026-03-02/partition-0",
                     *             "state": "done",
                     *             "rowCount": 48211,
                     *             "byteCount": 31457280,
                     *             "batch": 90417
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @description For people to read */
                        message: string;
                        data: {
                            folder: string;
                            /** @description False: ask again with the same folder until it is true */
                            isDone: boolean;
                            /** @description In the order in which they are copied; the rest still waits */
                            partitions: {
                                partition: number;
                                folder: string;
                                /** @enum {string} */
                                state: "running" | "done";
                                rowCount: number;
                                byteCount: number;
                                /** @description The last batch in it; null while it is being made */
                                batch: number | null;
                            }[];
                        };
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["Limited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listBrokerageUse: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description List the brokerages and what hangs on each */
            200: {
                headers: {
                    /** @description Requests that the window allows */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends */
                    "X-RateLimit-Reset"?: number;
                    /** @description The window: its name, what it allows and its seconds, as "global";q=5000;w=3600 */
                    "RateLimit-Policy"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "The brokerages",
                     *       "data": [
                     *         {
                     *           "code": "PAPER",
                     *           "groups": 12,
                     *           "setups": 1,
                     *           "levelBots": 2,
                     *           "webhookBots": 0,
                     *           "orders": 1,
                     *           "quarantined": 0
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @description For people to read */
                        message: string;
                        data: components["schemas"]["BrokerageUse"][];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["Limited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    retireBrokerage: {
        parameters: {
            query?: {
                /** @description The `next` of the answer before; default: from the beginning */
                from?: string;
            };
            header?: never;
            path: {
                /**
                 * @description code
                 * @example HEKTS
                 */
                code: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Give a brokerage up */
            200: {
                headers: {
                    /** @description Requests that the window allows */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends */
                    "X-RateLimit-Reset"?: number;
                    /** @description The window: its name, what it allows and its seconds, as "global";q=5000;w=3600 */
                    "RateLimit-Policy"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "What could be cancelled was cancelled",
                     *       "data": {
                     *         "code": "PAPER",
                     *         "retired": {
                     *           "groups": 12,
                     *           "setups": 1,
                     *           "switchedOffBots": 1,
                     *           "endedBots": 1
                     *         },
                     *         "left": [
                     *           {
                     *             "type": "group",
                     *             "partition": 0,
                     *             "id": "1003",
                     *             "userId": 1050,
                     *             "rowIds": [
                     *               1003
                     *             ],
                     *             "pairIds": [],
                     *             "reason": "a sell is on its way, or open at the brokerage",
                     *             "isBlocking": true
                     *           }
                     *         ],
                     *         "next": null
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @description For people to read */
                        message: string;
                        data: {
                            code: string;
                            retired: components["schemas"]["RetiredCounts"];
                            /** @description What could not be cancelled */
                            left: components["schemas"]["LeftOfBrokerage"][];
                            /** @description Not null: ask again with it as `from`, there is more */
                            next: string | null;
                        };
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["Limited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    readCluster: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Read the state of the partitions that engines share */
            200: {
                headers: {
                    /** @description Requests that the window allows */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends */
                    "X-RateLimit-Reset"?: number;
                    /** @description The window: its name, what it allows and its seconds, as "global";q=5000;w=3600 */
                    "RateLimit-Policy"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "The partitions that engines share",
                     *       "data": {
                     *         "partitions": [
                     *           {
                     *             "partition": 0,
                     *             "leader": "engine-1",
                     *             "epoch": 1204,
                     *             "copies": [
                     *               {
                     *                 "engine": "engine-2",
                     *                 "lagRecords": 0
                     *               }
                     *             ]
                     *           }
                     *         ],
                     *         "engines": [
                     *           {
                     *             "engine": "engine-1",
                     *             "leads": 1,
                     *             "isEnding": false,
                     *             "takeovers": [
                     *               {
                     *                 "partition": 0,
                     *                 "count": 1
                     *               }
                     *             ]
                     *           },
                     *           {
                     *             "engine": "engine-2",
                     *             "leads": 0,
                     *             "isEnding": false,
                     *             "takeovers": []
                     *           }
                     *         ],
                     *         "servers": [
                     *           {
                     *             "url": "http://10.0.0.1:8222",
                     *             "name": "nats-1",
                     *             "version": "2.12.3",
                     *             "isSynced": true
                     *           }
                     *         ],
                     *         "streams": [
                     *           {
                     *             "stream": "JOURNAL_0",
                     *             "currentReplicas": 3
                     *           }
                     *         ],
                     *         "faults": []
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @description For people to read */
                        message: string;
                        data: components["schemas"]["Cluster"] | null;
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["Limited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    readMetrics: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Read the figures of edge and engine */
            200: {
                headers: {
                    /** @description Requests that the window allows */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends */
                    "X-RateLimit-Reset"?: number;
                    /** @description The window: its name, what it allows and its seconds, as "global";q=5000;w=3600 */
                    "RateLimit-Policy"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["Limited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    sendSignal: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Of the bot, kept secret */
                secret: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "algoName": "trend-follower",
                 *       "period": "1H",
                 *       "symbol": "ASELS",
                 *       "side": "buy",
                 *       "price": 71.25,
                 *       "id": "2026-03-02/7"
                 *     }
                 */
                "application/json": components["schemas"]["Signal"];
                /**
                 * @example {
                 *       "algoName": "trend-follower",
                 *       "period": "1H",
                 *       "symbol": "ASELS",
                 *       "side": "buy",
                 *       "price": 71.25,
                 *       "id": "2026-03-02/7"
                 *     }
                 */
                "text/plain": components["schemas"]["Signal"];
            };
        };
        responses: {
            /** @description The signal was received */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "The signal matched 1 detail",
                     *       "data": {
                     *         "matched": 1
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @description For people to read */
                        message: string;
                        data: {
                            matched: number;
                        };
                    };
                };
            };
            400: components["responses"]["Invalid"];
            /** @description The caller has no such object */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": false,
                     *       "message": "the symbol list was not found",
                     *       "error": {
                     *         "code": "NOT_FOUND",
                     *         "message": "the symbol list was not found"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: false;
                        /** @description For people to read */
                        message: string;
                        error: {
                            /** @enum {string} */
                            code: "NOT_FOUND";
                            /** @description For people to read */
                            message: string;
                        };
                    };
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["Limited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    exchangeToken: {
        parameters: {
            query?: never;
            header?: {
                /** @description With grant_type api_key */
                "X-API-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "grant_type": "api_key"
                 *     }
                 */
                "application/json": {
                    /** @enum {string} */
                    grant_type: "api_key" | "refresh_token" | "client_credentials";
                    /** @description With grant_type refresh_token */
                    refresh_token?: string;
                    /** @description With client_credentials: the API key's id */
                    client_id?: string;
                    /** @description With client_credentials: the API key; both may also come by HTTP Basic */
                    client_secret?: string;
                    /** @description Scopes, separated by spaces. The tokens get the requested scopes that the API key has; the answer names them */
                    scope?: string;
                    /** @description Address that the token is for (RFC 8707): one of this service */
                    resource?: string;
                };
                "application/x-www-form-urlencoded": {
                    /** @enum {string} */
                    grant_type: "api_key" | "refresh_token" | "client_credentials";
                    /** @description With grant_type refresh_token */
                    refresh_token?: string;
                    /** @description With client_credentials: the API key's id */
                    client_id?: string;
                    /** @description With client_credentials: the API key; both may also come by HTTP Basic */
                    client_secret?: string;
                    /** @description Scopes, separated by spaces. The tokens get the requested scopes that the API key has; the answer names them */
                    scope?: string;
                    /** @description Address that the token is for (RFC 8707): one of this service */
                    resource?: string;
                };
            };
        };
        responses: {
            /** @description A token set */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "access_token": "eyJhbGciOiJSUzI1NiIsInR5cCI6ImF0K2p3dCJ9.claims.signature",
                     *       "token_type": "Bearer",
                     *       "expires_in": 86400,
                     *       "refresh_token": "tdr_1060_generation_and_proof",
                     *       "refresh_expires_in": 2592000,
                     *       "issued_at": "2026-03-02T10:15:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["TokenSet"] | components["schemas"]["AccessTokenSet"];
                };
            };
            /** @description invalid_request, invalid_grant, invalid_scope, invalid_target or unsupported_grant_type */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": false,
                     *       "message": "the refresh token is not valid",
                     *       "error": "invalid_grant",
                     *       "error_description": "the refresh token is not valid"
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: false;
                        message: string;
                        error: string;
                        error_description: string;
                    };
                };
            };
            /** @description invalid_client */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": false,
                     *       "message": "the X-API-Key header must hold a valid API key",
                     *       "error": "invalid_client",
                     *       "error_description": "the X-API-Key header must hold a valid API key"
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: false;
                        message: string;
                        error: string;
                        error_description: string;
                    };
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["Limited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    revokeToken: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/x-www-form-urlencoded": {
                    /** @description A refresh token or an access token */
                    token: string;
                    /** @description Ignored: a token shows what it is */
                    token_type_hint?: string;
                };
                /**
                 * @example {
                 *       "token": "tdr_1060_generation_and_proof"
                 *     }
                 */
                "application/json": {
                    /** @description A refresh token or an access token */
                    token: string;
                    /** @description Ignored: a token shows what it is */
                    token_type_hint?: string;
                };
            };
        };
        responses: {
            /** @description The token is good for nothing any more */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "the token is good for nothing any more"
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        message: string;
                    };
                };
            };
            /** @description invalid_request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": false,
                     *       "message": "token is required",
                     *       "error": "invalid_request",
                     *       "error_description": "token is required"
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: false;
                        message: string;
                        error: string;
                        error_description: string;
                    };
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["Limited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    "on_oco.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Given once; send it as Last-Event-ID to continue after this event */
                    id: string;
                    /** @description Ascends; numbers in between belong to others */
                    sequence: number;
                    /** @description UTC, ISO 8601 */
                    time: string;
                    userId: number;
                    /** @constant */
                    type: "oco.created";
                    groupId: number;
                    rows: components["schemas"]["OcoRow"][];
                };
            };
        };
        responses: {
            /** @description Taken; any 2xx will do */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not taken; it is sent again */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "on_oco.changed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Given once; send it as Last-Event-ID to continue after this event */
                    id: string;
                    /** @description Ascends; numbers in between belong to others */
                    sequence: number;
                    /** @description UTC, ISO 8601 */
                    time: string;
                    userId: number;
                    /** @constant */
                    type: "oco.changed";
                    groupId: number;
                    /** @description Rises with every change of any row */
                    version: number;
                    rows: components["schemas"]["OcoRow"][];
                };
            };
        };
        responses: {
            /** @description Taken; any 2xx will do */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not taken; it is sent again */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "on_oco.triggered": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Given once; send it as Last-Event-ID to continue after this event */
                    id: string;
                    /** @description Ascends; numbers in between belong to others */
                    sequence: number;
                    /** @description UTC, ISO 8601 */
                    time: string;
                    userId: number;
                    /** @constant */
                    type: "oco.triggered";
                    row: components["schemas"]["OcoRow"];
                    /** @description The name of the order at the brokerage; left out if only the receipt can state it: see there */
                    clientOrderId?: string;
                    /**
                     * @description Of a stop-loss that no price fired: time (`exit`), or flatten
                     * @enum {string}
                     */
                    reason?: "time" | "flatten";
                };
            };
        };
        responses: {
            /** @description Taken; any 2xx will do */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not taken; it is sent again */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "on_oco.triggerFailed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Given once; send it as Last-Event-ID to continue after this event */
                    id: string;
                    /** @description Ascends; numbers in between belong to others */
                    sequence: number;
                    /** @description UTC, ISO 8601 */
                    time: string;
                    userId: number;
                    /** @constant */
                    type: "oco.triggerFailed";
                    row: components["schemas"]["OcoRow"];
                    /** @description The name of the order at the brokerage; left out if only the receipt can state it: see there */
                    clientOrderId?: string;
                    /**
                     * @description Of a stop-loss that no price fired: time (`exit`), or flatten
                     * @enum {string}
                     */
                    reason?: "time" | "flatten";
                    /** @description Why, for people */
                    message?: string;
                };
            };
        };
        responses: {
            /** @description Taken; any 2xx will do */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not taken; it is sent again */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "on_oco.cancelled": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Given once; send it as Last-Event-ID to continue after this event */
                    id: string;
                    /** @description Ascends; numbers in between belong to others */
                    sequence: number;
                    /** @description UTC, ISO 8601 */
                    time: string;
                    userId: number;
                    /** @constant */
                    type: "oco.cancelled";
                    row: components["schemas"]["OcoRow"];
                };
            };
        };
        responses: {
            /** @description Taken; any 2xx will do */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not taken; it is sent again */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "on_oco.adjusted": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Given once; send it as Last-Event-ID to continue after this event */
                    id: string;
                    /** @description Ascends; numbers in between belong to others */
                    sequence: number;
                    /** @description UTC, ISO 8601 */
                    time: string;
                    userId: number;
                    /** @constant */
                    type: "oco.adjusted";
                    row: components["schemas"]["OcoRow"];
                    /** @description Why, for people */
                    message: string;
                };
            };
        };
        responses: {
            /** @description Taken; any 2xx will do */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not taken; it is sent again */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "on_oco.trailingActivated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Given once; send it as Last-Event-ID to continue after this event */
                    id: string;
                    /** @description Ascends; numbers in between belong to others */
                    sequence: number;
                    /** @description UTC, ISO 8601 */
                    time: string;
                    userId: number;
                    /** @constant */
                    type: "oco.trailingActivated";
                    row: components["schemas"]["OcoRow"];
                };
            };
        };
        responses: {
            /** @description Taken; any 2xx will do */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not taken; it is sent again */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "on_oco.stopRaised": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Given once; send it as Last-Event-ID to continue after this event */
                    id: string;
                    /** @description Ascends; numbers in between belong to others */
                    sequence: number;
                    /** @description UTC, ISO 8601 */
                    time: string;
                    userId: number;
                    /** @constant */
                    type: "oco.stopRaised";
                    row: components["schemas"]["OcoRow"];
                };
            };
        };
        responses: {
            /** @description Taken; any 2xx will do */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not taken; it is sent again */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "on_oco.trailingUncertain": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Given once; send it as Last-Event-ID to continue after this event */
                    id: string;
                    /** @description Ascends; numbers in between belong to others */
                    sequence: number;
                    /** @description UTC, ISO 8601 */
                    time: string;
                    userId: number;
                    /** @constant */
                    type: "oco.trailingUncertain";
                    row: components["schemas"]["OcoRow"];
                    /** @description Why, for people */
                    message: string;
                };
            };
        };
        responses: {
            /** @description Taken; any 2xx will do */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not taken; it is sent again */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "on_oco.rearmed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Given once; send it as Last-Event-ID to continue after this event */
                    id: string;
                    /** @description Ascends; numbers in between belong to others */
                    sequence: number;
                    /** @description UTC, ISO 8601 */
                    time: string;
                    userId: number;
                    /** @constant */
                    type: "oco.rearmed";
                    row: components["schemas"]["OcoRow"];
                };
            };
        };
        responses: {
            /** @description Taken; any 2xx will do */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not taken; it is sent again */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "on_oco.reduced": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Given once; send it as Last-Event-ID to continue after this event */
                    id: string;
                    /** @description Ascends; numbers in between belong to others */
                    sequence: number;
                    /** @description UTC, ISO 8601 */
                    time: string;
                    userId: number;
                    /** @constant */
                    type: "oco.reduced";
                    row: components["schemas"]["OcoRow"];
                };
            };
        };
        responses: {
            /** @description Taken; any 2xx will do */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not taken; it is sent again */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "on_oco.sentReduced": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Given once; send it as Last-Event-ID to continue after this event */
                    id: string;
                    /** @description Ascends; numbers in between belong to others */
                    sequence: number;
                    /** @description UTC, ISO 8601 */
                    time: string;
                    userId: number;
                    /** @constant */
                    type: "oco.sentReduced";
                    row: components["schemas"]["OcoRow"];
                    /** @description Why, for people */
                    message?: string;
                };
            };
        };
        responses: {
            /** @description Taken; any 2xx will do */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not taken; it is sent again */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "on_oco.sellIncomplete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Given once; send it as Last-Event-ID to continue after this event */
                    id: string;
                    /** @description Ascends; numbers in between belong to others */
                    sequence: number;
                    /** @description UTC, ISO 8601 */
                    time: string;
                    userId: number;
                    /** @constant */
                    type: "oco.sellIncomplete";
                    row: components["schemas"]["OcoRow"];
                    /** @description The name of the order at the brokerage; left out if only the receipt can state it: see there */
                    clientOrderId?: string;
                    /** @description Why, for people */
                    message?: string;
                    filledQuantity?: number;
                };
            };
        };
        responses: {
            /** @description Taken; any 2xx will do */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not taken; it is sent again */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "on_oco.exitContinues": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Given once; send it as Last-Event-ID to continue after this event */
                    id: string;
                    /** @description Ascends; numbers in between belong to others */
                    sequence: number;
                    /** @description UTC, ISO 8601 */
                    time: string;
                    userId: number;
                    /** @constant */
                    type: "oco.exitContinues";
                    row: components["schemas"]["OcoRow"];
                    /** @description Why, for people */
                    message?: string;
                };
            };
        };
        responses: {
            /** @description Taken; any 2xx will do */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not taken; it is sent again */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "on_oco.exitCompleted": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Given once; send it as Last-Event-ID to continue after this event */
                    id: string;
                    /** @description Ascends; numbers in between belong to others */
                    sequence: number;
                    /** @description UTC, ISO 8601 */
                    time: string;
                    userId: number;
                    /** @constant */
                    type: "oco.exitCompleted";
                    row: components["schemas"]["OcoRow"];
                    /** @description Why, for people */
                    message: string;
                };
            };
        };
        responses: {
            /** @description Taken; any 2xx will do */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not taken; it is sent again */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "on_oco.exitStopped": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Given once; send it as Last-Event-ID to continue after this event */
                    id: string;
                    /** @description Ascends; numbers in between belong to others */
                    sequence: number;
                    /** @description UTC, ISO 8601 */
                    time: string;
                    userId: number;
                    /** @constant */
                    type: "oco.exitStopped";
                    row: components["schemas"]["OcoRow"];
                    /** @description Why, for people */
                    message: string;
                };
            };
        };
        responses: {
            /** @description Taken; any 2xx will do */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not taken; it is sent again */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "on_oco.lateFill": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Given once; send it as Last-Event-ID to continue after this event */
                    id: string;
                    /** @description Ascends; numbers in between belong to others */
                    sequence: number;
                    /** @description UTC, ISO 8601 */
                    time: string;
                    userId: number;
                    /** @constant */
                    type: "oco.lateFill";
                    row: components["schemas"]["OcoRow"];
                    /** @description Why, for people */
                    message: string;
                };
            };
        };
        responses: {
            /** @description Taken; any 2xx will do */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not taken; it is sent again */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "on_oco.waitsForSession": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Given once; send it as Last-Event-ID to continue after this event */
                    id: string;
                    /** @description Ascends; numbers in between belong to others */
                    sequence: number;
                    /** @description UTC, ISO 8601 */
                    time: string;
                    userId: number;
                    /** @constant */
                    type: "oco.waitsForSession";
                    row: components["schemas"]["OcoRow"];
                    /** @description UTC, ISO 8601 */
                    until: string;
                };
            };
        };
        responses: {
            /** @description Taken; any 2xx will do */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not taken; it is sent again */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "on_oco.restricted": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Given once; send it as Last-Event-ID to continue after this event */
                    id: string;
                    /** @description Ascends; numbers in between belong to others */
                    sequence: number;
                    /** @description UTC, ISO 8601 */
                    time: string;
                    userId: number;
                    /** @constant */
                    type: "oco.restricted";
                    symbol: string;
                    effects: components["schemas"]["MeasureEffects"];
                    /** @description Why, for people */
                    message: string;
                };
            };
        };
        responses: {
            /** @description Taken; any 2xx will do */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not taken; it is sent again */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "on_oco.unrestricted": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Given once; send it as Last-Event-ID to continue after this event */
                    id: string;
                    /** @description Ascends; numbers in between belong to others */
                    sequence: number;
                    /** @description UTC, ISO 8601 */
                    time: string;
                    userId: number;
                    /** @constant */
                    type: "oco.unrestricted";
                    symbol: string;
                    /** @description Why, for people */
                    message: string;
                };
            };
        };
        responses: {
            /** @description Taken; any 2xx will do */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not taken; it is sent again */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "on_setup.registered": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Given once; send it as Last-Event-ID to continue after this event */
                    id: string;
                    /** @description Ascends; numbers in between belong to others */
                    sequence: number;
                    /** @description UTC, ISO 8601 */
                    time: string;
                    userId: number;
                    /** @constant */
                    type: "setup.registered";
                    row: components["schemas"]["PendingOco"];
                    /** @description What the owner must look at: the row's orderMessage, if it has one */
                    message?: string;
                };
            };
        };
        responses: {
            /** @description Taken; any 2xx will do */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not taken; it is sent again */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "on_setup.changed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Given once; send it as Last-Event-ID to continue after this event */
                    id: string;
                    /** @description Ascends; numbers in between belong to others */
                    sequence: number;
                    /** @description UTC, ISO 8601 */
                    time: string;
                    userId: number;
                    /** @constant */
                    type: "setup.changed";
                    row: components["schemas"]["PendingOco"];
                    /** @description What the owner must look at: the row's orderMessage, if it has one */
                    message?: string;
                };
            };
        };
        responses: {
            /** @description Taken; any 2xx will do */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not taken; it is sent again */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "on_setup.converted": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Given once; send it as Last-Event-ID to continue after this event */
                    id: string;
                    /** @description Ascends; numbers in between belong to others */
                    sequence: number;
                    /** @description UTC, ISO 8601 */
                    time: string;
                    userId: number;
                    /** @constant */
                    type: "setup.converted";
                    row: components["schemas"]["PendingOco"];
                    groupId: number;
                    /** @description A warning: the stop-loss sells more lots than were bought, or exit.at had passed */
                    message?: string;
                };
            };
        };
        responses: {
            /** @description Taken; any 2xx will do */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not taken; it is sent again */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "on_setup.orderLost": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Given once; send it as Last-Event-ID to continue after this event */
                    id: string;
                    /** @description Ascends; numbers in between belong to others */
                    sequence: number;
                    /** @description UTC, ISO 8601 */
                    time: string;
                    userId: number;
                    /** @constant */
                    type: "setup.orderLost";
                    row: components["schemas"]["PendingOco"];
                    /** @description Why, for people */
                    message: string;
                };
            };
        };
        responses: {
            /** @description Taken; any 2xx will do */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not taken; it is sent again */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "on_setup.orderFound": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Given once; send it as Last-Event-ID to continue after this event */
                    id: string;
                    /** @description Ascends; numbers in between belong to others */
                    sequence: number;
                    /** @description UTC, ISO 8601 */
                    time: string;
                    userId: number;
                    /** @constant */
                    type: "setup.orderFound";
                    row: components["schemas"]["PendingOco"];
                    /** @description What the owner must look at: the row's orderMessage, if it has one */
                    message?: string;
                };
            };
        };
        responses: {
            /** @description Taken; any 2xx will do */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not taken; it is sent again */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "on_setup.unprotected": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Given once; send it as Last-Event-ID to continue after this event */
                    id: string;
                    /** @description Ascends; numbers in between belong to others */
                    sequence: number;
                    /** @description UTC, ISO 8601 */
                    time: string;
                    userId: number;
                    /** @constant */
                    type: "setup.unprotected";
                    row: components["schemas"]["PendingOco"];
                    /** @description Why, for people */
                    message: string;
                };
            };
        };
        responses: {
            /** @description Taken; any 2xx will do */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not taken; it is sent again */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "on_setup.triggered": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Given once; send it as Last-Event-ID to continue after this event */
                    id: string;
                    /** @description Ascends; numbers in between belong to others */
                    sequence: number;
                    /** @description UTC, ISO 8601 */
                    time: string;
                    userId: number;
                    /** @constant */
                    type: "setup.triggered";
                    row: components["schemas"]["PendingOco"];
                    /** @description What the owner must look at: the row's orderMessage, if it has one */
                    message?: string;
                };
            };
        };
        responses: {
            /** @description Taken; any 2xx will do */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not taken; it is sent again */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "on_setup.cancelRefused": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Given once; send it as Last-Event-ID to continue after this event */
                    id: string;
                    /** @description Ascends; numbers in between belong to others */
                    sequence: number;
                    /** @description UTC, ISO 8601 */
                    time: string;
                    userId: number;
                    /** @constant */
                    type: "setup.cancelRefused";
                    row: components["schemas"]["PendingOco"];
                    /** @description Why, for people */
                    message: string;
                };
            };
        };
        responses: {
            /** @description Taken; any 2xx will do */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not taken; it is sent again */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "on_setup.conversionFailed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Given once; send it as Last-Event-ID to continue after this event */
                    id: string;
                    /** @description Ascends; numbers in between belong to others */
                    sequence: number;
                    /** @description UTC, ISO 8601 */
                    time: string;
                    userId: number;
                    /** @constant */
                    type: "setup.conversionFailed";
                    row: components["schemas"]["PendingOco"];
                    /** @description Why, for people */
                    message: string;
                };
            };
        };
        responses: {
            /** @description Taken; any 2xx will do */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not taken; it is sent again */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "on_setup.entryRefused": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Given once; send it as Last-Event-ID to continue after this event */
                    id: string;
                    /** @description Ascends; numbers in between belong to others */
                    sequence: number;
                    /** @description UTC, ISO 8601 */
                    time: string;
                    userId: number;
                    /** @constant */
                    type: "setup.entryRefused";
                    row: components["schemas"]["PendingOco"];
                    /** @description Why, for people */
                    message: string;
                };
            };
        };
        responses: {
            /** @description Taken; any 2xx will do */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not taken; it is sent again */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "on_setup.removed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Given once; send it as Last-Event-ID to continue after this event */
                    id: string;
                    /** @description Ascends; numbers in between belong to others */
                    sequence: number;
                    /** @description UTC, ISO 8601 */
                    time: string;
                    userId: number;
                    /** @constant */
                    type: "setup.removed";
                    row: components["schemas"]["PendingOco"];
                    /** @description True: something was bought, and no group watches it */
                    isPartFilled?: boolean;
                    /** @description True: its owner removed it; a buy that he placed continues */
                    isByOwner?: boolean;
                };
            };
        };
        responses: {
            /** @description Taken; any 2xx will do */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not taken; it is sent again */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "on_bot.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Given once; send it as Last-Event-ID to continue after this event */
                    id: string;
                    /** @description Ascends; numbers in between belong to others */
                    sequence: number;
                    /** @description UTC, ISO 8601 */
                    time: string;
                    userId: number;
                    /** @constant */
                    type: "bot.created";
                    /** @description Id of the bot */
                    systemId: number;
                    row: components["schemas"]["LevelBot"] | {
                        id: number;
                        name: string;
                        accountNumber: string;
                        isActive: boolean;
                        /** @description Whether the service watches for it now */
                        isRunning: boolean;
                        webhookBotDetails: components["schemas"]["WebhookBotDetail"][];
                        createdDate: string;
                        updatedDate: string | null;
                    };
                };
            };
        };
        responses: {
            /** @description Taken; any 2xx will do */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not taken; it is sent again */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "on_bot.updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Given once; send it as Last-Event-ID to continue after this event */
                    id: string;
                    /** @description Ascends; numbers in between belong to others */
                    sequence: number;
                    /** @description UTC, ISO 8601 */
                    time: string;
                    userId: number;
                    /** @constant */
                    type: "bot.updated";
                    /** @description Id of the bot */
                    systemId: number;
                    row: components["schemas"]["LevelBot"] | {
                        id: number;
                        name: string;
                        accountNumber: string;
                        isActive: boolean;
                        /** @description Whether the service watches for it now */
                        isRunning: boolean;
                        webhookBotDetails: components["schemas"]["WebhookBotDetail"][];
                        createdDate: string;
                        updatedDate: string | null;
                    };
                };
            };
        };
        responses: {
            /** @description Taken; any 2xx will do */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not taken; it is sent again */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "on_bot.removed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Given once; send it as Last-Event-ID to continue after this event */
                    id: string;
                    /** @description Ascends; numbers in between belong to others */
                    sequence: number;
                    /** @description UTC, ISO 8601 */
                    time: string;
                    userId: number;
                    /** @constant */
                    type: "bot.removed";
                    /** @description Id of the bot */
                    systemId: number;
                    row?: components["schemas"]["LevelBot"] | {
                        id: number;
                        name: string;
                        accountNumber: string;
                        isActive: boolean;
                        /** @description Whether the service watches for it now */
                        isRunning: boolean;
                        webhookBotDetails: components["schemas"]["WebhookBotDetail"][];
                        createdDate: string;
                        updatedDate: string | null;
                    };
                };
            };
        };
        responses: {
            /** @description Taken; any 2xx will do */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not taken; it is sent again */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "on_bot.secretRotated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Given once; send it as Last-Event-ID to continue after this event */
                    id: string;
                    /** @description Ascends; numbers in between belong to others */
                    sequence: number;
                    /** @description UTC, ISO 8601 */
                    time: string;
                    userId: number;
                    /** @constant */
                    type: "bot.secretRotated";
                    /** @description Id of the bot */
                    systemId: number;
                    row: components["schemas"]["LevelBot"] | {
                        id: number;
                        name: string;
                        accountNumber: string;
                        isActive: boolean;
                        /** @description Whether the service watches for it now */
                        isRunning: boolean;
                        webhookBotDetails: components["schemas"]["WebhookBotDetail"][];
                        createdDate: string;
                        updatedDate: string | null;
                    };
                };
            };
        };
        responses: {
            /** @description Taken; any 2xx will do */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not taken; it is sent again */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "on_pair.leftOut": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Given once; send it as Last-Event-ID to continue after this event */
                    id: string;
                    /** @description Ascends; numbers in between belong to others */
                    sequence: number;
                    /** @description UTC, ISO 8601 */
                    time: string;
                    userId: number;
                    /** @constant */
                    type: "pair.leftOut";
                    /** @description Id of the bot */
                    systemId: number;
                    symbol: string;
                    row: components["schemas"]["LevelBotPair"];
                    /** @description Why, for people */
                    message: string;
                };
            };
        };
        responses: {
            /** @description Taken; any 2xx will do */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not taken; it is sent again */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "on_pair.bought": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Given once; send it as Last-Event-ID to continue after this event */
                    id: string;
                    /** @description Ascends; numbers in between belong to others */
                    sequence: number;
                    /** @description UTC, ISO 8601 */
                    time: string;
                    userId: number;
                    /** @constant */
                    type: "pair.bought";
                    /** @description Id of the bot */
                    systemId: number;
                    symbol: string;
                    row: components["schemas"]["LevelBotPair"];
                };
            };
        };
        responses: {
            /** @description Taken; any 2xx will do */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not taken; it is sent again */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "on_pair.buyFailed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Given once; send it as Last-Event-ID to continue after this event */
                    id: string;
                    /** @description Ascends; numbers in between belong to others */
                    sequence: number;
                    /** @description UTC, ISO 8601 */
                    time: string;
                    userId: number;
                    /** @constant */
                    type: "pair.buyFailed";
                    /** @description Id of the bot */
                    systemId: number;
                    symbol: string;
                    row: components["schemas"]["LevelBotPair"];
                    /** @description Why, for people */
                    message?: string;
                };
            };
        };
        responses: {
            /** @description Taken; any 2xx will do */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not taken; it is sent again */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "on_pair.sellFailed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Given once; send it as Last-Event-ID to continue after this event */
                    id: string;
                    /** @description Ascends; numbers in between belong to others */
                    sequence: number;
                    /** @description UTC, ISO 8601 */
                    time: string;
                    userId: number;
                    /** @constant */
                    type: "pair.sellFailed";
                    /** @description Id of the bot */
                    systemId: number;
                    symbol: string;
                    row: components["schemas"]["LevelBotPair"];
                    /** @description Why, for people */
                    message?: string;
                };
            };
        };
        responses: {
            /** @description Taken; any 2xx will do */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not taken; it is sent again */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "on_pair.sold": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Given once; send it as Last-Event-ID to continue after this event */
                    id: string;
                    /** @description Ascends; numbers in between belong to others */
                    sequence: number;
                    /** @description UTC, ISO 8601 */
                    time: string;
                    userId: number;
                    /** @constant */
                    type: "pair.sold";
                    /** @description Id of the bot */
                    systemId: number;
                    symbol: string;
                    row: components["schemas"]["SoldPair"];
                };
            };
        };
        responses: {
            /** @description Taken; any 2xx will do */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not taken; it is sent again */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "on_signal.ignored": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Given once; send it as Last-Event-ID to continue after this event */
                    id: string;
                    /** @description Ascends; numbers in between belong to others */
                    sequence: number;
                    /** @description UTC, ISO 8601 */
                    time: string;
                    userId: number;
                    /** @constant */
                    type: "signal.ignored";
                    /** @description Id of the bot */
                    systemId: number;
                    symbol: string;
                    /** @description Why, for people */
                    message: string;
                };
            };
        };
        responses: {
            /** @description Taken; any 2xx will do */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not taken; it is sent again */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "on_signal.deferred": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Given once; send it as Last-Event-ID to continue after this event */
                    id: string;
                    /** @description Ascends; numbers in between belong to others */
                    sequence: number;
                    /** @description UTC, ISO 8601 */
                    time: string;
                    userId: number;
                    /** @constant */
                    type: "signal.deferred";
                    /** @description Id of the bot */
                    systemId: number;
                    symbol: string;
                    /** @description Why, for people */
                    message?: string;
                    row?: components["schemas"]["LevelBotPair"];
                };
            };
        };
        responses: {
            /** @description Taken; any 2xx will do */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not taken; it is sent again */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "on_signal.unmatched": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Given once; send it as Last-Event-ID to continue after this event */
                    id: string;
                    /** @description Ascends; numbers in between belong to others */
                    sequence: number;
                    /** @description UTC, ISO 8601 */
                    time: string;
                    userId: number;
                    /** @constant */
                    type: "signal.unmatched";
                    /** @description Id of the bot */
                    systemId: number;
                    symbol: string;
                    /** @description Why, for people */
                    message: string;
                };
            };
        };
        responses: {
            /** @description Taken; any 2xx will do */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not taken; it is sent again */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "on_signal.rejected": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Given once; send it as Last-Event-ID to continue after this event */
                    id: string;
                    /** @description Ascends; numbers in between belong to others */
                    sequence: number;
                    /** @description UTC, ISO 8601 */
                    time: string;
                    userId: number;
                    /** @constant */
                    type: "signal.rejected";
                    /** @description Id of the bot */
                    systemId: number;
                    /** @description Why, for people */
                    message: string;
                };
            };
        };
        responses: {
            /** @description Taken; any 2xx will do */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not taken; it is sent again */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "on_order.placed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Given once; send it as Last-Event-ID to continue after this event */
                    id: string;
                    /** @description Ascends; numbers in between belong to others */
                    sequence: number;
                    /** @description UTC, ISO 8601 */
                    time: string;
                    userId: number;
                    /** @constant */
                    type: "order.placed";
                    order: {
                        clientOrderId: string;
                        brokerageCode: string;
                        accountNumber: string;
                        symbol: string;
                        quantity: number;
                        /** @description 1 = Buy, 2 = Sell */
                        buySell: 1 | 2;
                        /** @description 1 = Market, 2 = Limit */
                        orderType: 1 | 2;
                        price: number;
                        orderNo: string;
                        orderStatus: number;
                    };
                };
            };
        };
        responses: {
            /** @description Taken; any 2xx will do */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not taken; it is sent again */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "on_order.refused": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Given once; send it as Last-Event-ID to continue after this event */
                    id: string;
                    /** @description Ascends; numbers in between belong to others */
                    sequence: number;
                    /** @description UTC, ISO 8601 */
                    time: string;
                    userId: number;
                    /** @constant */
                    type: "order.refused";
                    order: {
                        clientOrderId: string;
                        brokerageCode: string;
                        accountNumber: string;
                        symbol: string;
                        quantity: number;
                        /** @description 1 = Buy, 2 = Sell */
                        buySell: 1 | 2;
                        /** @description 1 = Market, 2 = Limit */
                        orderType: 1 | 2;
                        price: number;
                    };
                    /** @description Why, for people */
                    message: string;
                };
            };
        };
        responses: {
            /** @description Taken; any 2xx will do */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not taken; it is sent again */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "on_order.cancelled": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Given once; send it as Last-Event-ID to continue after this event */
                    id: string;
                    /** @description Ascends; numbers in between belong to others */
                    sequence: number;
                    /** @description UTC, ISO 8601 */
                    time: string;
                    userId: number;
                    /** @constant */
                    type: "order.cancelled";
                    order: {
                        brokerageCode: string;
                        accountNumber: string;
                        symbol: string;
                        orderNo: string;
                    };
                };
            };
        };
        responses: {
            /** @description Taken; any 2xx will do */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not taken; it is sent again */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "on_order.postponed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Given once; send it as Last-Event-ID to continue after this event */
                    id: string;
                    /** @description Ascends; numbers in between belong to others */
                    sequence: number;
                    /** @description UTC, ISO 8601 */
                    time: string;
                    userId: number;
                    /** @constant */
                    type: "order.postponed";
                    order: {
                        clientOrderId: string;
                        brokerageCode: string;
                        accountNumber: string;
                        symbol: string;
                        quantity: number;
                    };
                    reason: string;
                };
            };
        };
        responses: {
            /** @description Taken; any 2xx will do */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not taken; it is sent again */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "on_order.quarantined": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Given once; send it as Last-Event-ID to continue after this event */
                    id: string;
                    /** @description Ascends; numbers in between belong to others */
                    sequence: number;
                    /** @description UTC, ISO 8601 */
                    time: string;
                    userId: number;
                    /** @constant */
                    type: "order.quarantined";
                    order: {
                        clientOrderId: string;
                        brokerageCode: string;
                        accountNumber: string;
                        symbol: string;
                        quantity: number;
                    };
                    reason: string;
                };
            };
        };
        responses: {
            /** @description Taken; any 2xx will do */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not taken; it is sent again */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "on_order.inDoubt": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Given once; send it as Last-Event-ID to continue after this event */
                    id: string;
                    /** @description Ascends; numbers in between belong to others */
                    sequence: number;
                    /** @description UTC, ISO 8601 */
                    time: string;
                    userId: number;
                    /** @constant */
                    type: "order.inDoubt";
                    /** @description Of an order that a client placed */
                    orderId?: number;
                    groupId?: number;
                    setupId?: number;
                    /** @description Id of the bot */
                    systemId?: number;
                    order: {
                        clientOrderId: string | null;
                        brokerageCode: string;
                        accountNumber: string;
                        symbol: string;
                        quantity: number;
                        orderNo: string;
                        /** @description 1 = Buy, 2 = Sell */
                        buySell: 1 | 2;
                        /** @description Lots that are known as filled */
                        filledQuantity: number;
                    };
                    /** @description Why, for people */
                    message: string;
                };
            };
        };
        responses: {
            /** @description Taken; any 2xx will do */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not taken; it is sent again */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "on_order.settled": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Given once; send it as Last-Event-ID to continue after this event */
                    id: string;
                    /** @description Ascends; numbers in between belong to others */
                    sequence: number;
                    /** @description UTC, ISO 8601 */
                    time: string;
                    userId: number;
                    /** @constant */
                    type: "order.settled";
                    /** @description Of an order that a client placed */
                    orderId?: number;
                    groupId?: number;
                    setupId?: number;
                    /** @description Id of the bot */
                    systemId?: number;
                    order: {
                        clientOrderId: string | null;
                        brokerageCode: string;
                        accountNumber: string;
                        symbol: string;
                        quantity: number;
                        orderNo: string;
                        /** @description 1 = Buy, 2 = Sell */
                        buySell: 1 | 2;
                        /** @description Lots that are known as filled */
                        filledQuantity: number;
                    };
                };
            };
        };
        responses: {
            /** @description Taken; any 2xx will do */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not taken; it is sent again */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "on_order.found": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Given once; send it as Last-Event-ID to continue after this event */
                    id: string;
                    /** @description Ascends; numbers in between belong to others */
                    sequence: number;
                    /** @description UTC, ISO 8601 */
                    time: string;
                    userId: number;
                    /** @constant */
                    type: "order.found";
                    /** @description Of an order that a client placed */
                    orderId?: number;
                    groupId?: number;
                    setupId?: number;
                    /** @description Id of the bot */
                    systemId?: number;
                    order: {
                        clientOrderId: string | null;
                        brokerageCode: string;
                        accountNumber: string;
                        symbol: string;
                        quantity: number;
                        orderNo: string;
                        /** @description 1 = Buy, 2 = Sell */
                        buySell: 1 | 2;
                        /** @description Lots that are known as filled */
                        filledQuantity: number;
                    };
                };
            };
        };
        responses: {
            /** @description Taken; any 2xx will do */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not taken; it is sent again */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "on_order.replaced": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Given once; send it as Last-Event-ID to continue after this event */
                    id: string;
                    /** @description Ascends; numbers in between belong to others */
                    sequence: number;
                    /** @description UTC, ISO 8601 */
                    time: string;
                    userId: number;
                    /** @constant */
                    type: "order.replaced";
                    /** @description Of an order that a client placed */
                    orderId?: number;
                    groupId?: number;
                    setupId?: number;
                    /** @description Id of the bot */
                    systemId?: number;
                    order: {
                        clientOrderId: string | null;
                        brokerageCode: string;
                        accountNumber: string;
                        symbol: string;
                        quantity: number;
                        orderNo: string;
                        /** @description 1 = Buy, 2 = Sell */
                        buySell: 1 | 2;
                        /** @description Lots that are known as filled */
                        filledQuantity: number;
                    };
                    /** @description The new number */
                    orderNo: string;
                };
            };
        };
        responses: {
            /** @description Taken; any 2xx will do */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not taken; it is sent again */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "on_order.overfilled": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Given once; send it as Last-Event-ID to continue after this event */
                    id: string;
                    /** @description Ascends; numbers in between belong to others */
                    sequence: number;
                    /** @description UTC, ISO 8601 */
                    time: string;
                    userId: number;
                    /** @constant */
                    type: "order.overfilled";
                    /** @description Of an order that a client placed */
                    orderId?: number;
                    groupId?: number;
                    setupId?: number;
                    /** @description Id of the bot */
                    systemId?: number;
                    order: {
                        clientOrderId: string | null;
                        brokerageCode: string;
                        accountNumber: string;
                        symbol: string;
                        quantity: number;
                        orderNo: string;
                        /** @description 1 = Buy, 2 = Sell */
                        buySell: 1 | 2;
                        /** @description Lots that are known as filled */
                        filledQuantity: number;
                    };
                    overQuantity: number;
                    /** @description Why, for people */
                    message: string;
                };
            };
        };
        responses: {
            /** @description Taken; any 2xx will do */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not taken; it is sent again */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "on_order.corrected": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Given once; send it as Last-Event-ID to continue after this event */
                    id: string;
                    /** @description Ascends; numbers in between belong to others */
                    sequence: number;
                    /** @description UTC, ISO 8601 */
                    time: string;
                    userId: number;
                    /** @constant */
                    type: "order.corrected";
                    /** @description Of an order that a client placed */
                    orderId?: number;
                    groupId?: number;
                    setupId?: number;
                    /** @description Id of the bot */
                    systemId?: number;
                    order: {
                        clientOrderId: string | null;
                        brokerageCode: string;
                        accountNumber: string;
                        symbol: string;
                        quantity: number;
                        orderNo: string;
                        /** @description 1 = Buy, 2 = Sell */
                        buySell: 1 | 2;
                        /** @description Lots that are known as filled */
                        filledQuantity: number;
                    };
                    fromQuantity: number;
                    toQuantity: number;
                    /** @description Why, for people */
                    message: string;
                };
            };
        };
        responses: {
            /** @description Taken; any 2xx will do */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not taken; it is sent again */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "on_alarm.filledAfterEnd": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Given once; send it as Last-Event-ID to continue after this event */
                    id: string;
                    /** @description Ascends; numbers in between belong to others */
                    sequence: number;
                    /** @description UTC, ISO 8601 */
                    time: string;
                    userId: number;
                    /** @constant */
                    type: "alarm.filledAfterEnd";
                    /** @description Of an order that a client placed */
                    orderId?: number;
                    groupId?: number;
                    setupId?: number;
                    /** @description Id of the bot */
                    systemId?: number;
                    order: {
                        clientOrderId: string | null;
                        brokerageCode: string;
                        accountNumber: string;
                        symbol: string;
                        quantity: number;
                        orderNo: string;
                        /** @description 1 = Buy, 2 = Sell */
                        buySell: 1 | 2;
                        /** @description Lots that are known as filled */
                        filledQuantity: number;
                    };
                    quantity: number;
                    /** @description Average price of the order; null: not known */
                    price: number | null;
                    /** @description Why, for people */
                    message: string;
                };
            };
        };
        responses: {
            /** @description Taken; any 2xx will do */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not taken; it is sent again */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "on_alarm.exitStopped": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Given once; send it as Last-Event-ID to continue after this event */
                    id: string;
                    /** @description Ascends; numbers in between belong to others */
                    sequence: number;
                    /** @description UTC, ISO 8601 */
                    time: string;
                    userId: number;
                    /** @constant */
                    type: "alarm.exitStopped";
                    row: components["schemas"]["OcoRow"];
                    /** @description Why, for people */
                    message: string;
                };
            };
        };
        responses: {
            /** @description Taken; any 2xx will do */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not taken; it is sent again */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "on_alarm.quarantined": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Given once; send it as Last-Event-ID to continue after this event */
                    id: string;
                    /** @description Ascends; numbers in between belong to others */
                    sequence: number;
                    /** @description UTC, ISO 8601 */
                    time: string;
                    userId: number;
                    /** @constant */
                    type: "alarm.quarantined";
                    groupId?: number;
                    setupId?: number;
                    /** @description Id of the bot */
                    systemId?: number;
                    /** @description Of an order that a client placed */
                    orderId?: number;
                    /** @description Of an API key's tokens */
                    familyId?: number;
                    /** @description Of a price alert */
                    alertId?: number;
                    /** @description Why, for people */
                    message: string;
                };
            };
        };
        responses: {
            /** @description Taken; any 2xx will do */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not taken; it is sent again */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "on_alarm.released": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Given once; send it as Last-Event-ID to continue after this event */
                    id: string;
                    /** @description Ascends; numbers in between belong to others */
                    sequence: number;
                    /** @description UTC, ISO 8601 */
                    time: string;
                    userId: number;
                    /** @constant */
                    type: "alarm.released";
                    groupId?: number;
                    setupId?: number;
                    /** @description Id of the bot */
                    systemId?: number;
                    /** @description Of an order that a client placed */
                    orderId?: number;
                    /** @description Of an API key's tokens */
                    familyId?: number;
                    /** @description Of a price alert */
                    alertId?: number;
                };
            };
        };
        responses: {
            /** @description Taken; any 2xx will do */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not taken; it is sent again */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "on_alarm.ticksLost": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Given once; send it as Last-Event-ID to continue after this event */
                    id: string;
                    /** @description Ascends; numbers in between belong to others */
                    sequence: number;
                    /** @description UTC, ISO 8601 */
                    time: string;
                    userId: number;
                    /** @constant */
                    type: "alarm.ticksLost";
                    /** @description missing, tooOld, recreated, unreadable or refused */
                    reason: string;
                    /** @description None of them came earlier; null: not known */
                    missingFrom?: string | null;
                    /** @description None of them came later; null: prices are being lost still */
                    missingUntil?: string | null;
                    /** @description Why, for people */
                    message: string;
                };
            };
        };
        responses: {
            /** @description Taken; any 2xx will do */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not taken; it is sent again */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "on_alarm.clockOff": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Given once; send it as Last-Event-ID to continue after this event */
                    id: string;
                    /** @description Ascends; numbers in between belong to others */
                    sequence: number;
                    /** @description UTC, ISO 8601 */
                    time: string;
                    userId: number;
                    /** @constant */
                    type: "alarm.clockOff";
                    /** @description How far the clock of the prices is ahead of it, in ms */
                    clockAheadMs: number;
                    /** @description Why, for people */
                    message: string;
                };
            };
        };
        responses: {
            /** @description Taken; any 2xx will do */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not taken; it is sent again */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "on_alarm.pricesSilent": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Given once; send it as Last-Event-ID to continue after this event */
                    id: string;
                    /** @description Ascends; numbers in between belong to others */
                    sequence: number;
                    /** @description UTC, ISO 8601 */
                    time: string;
                    userId: number;
                    /** @constant */
                    type: "alarm.pricesSilent";
                    symbols: string[];
                    /** @description refused: prices come and are refused; none: no price comes */
                    reason: string;
                    /** @description Why, for people */
                    message: string;
                };
            };
        };
        responses: {
            /** @description Taken; any 2xx will do */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not taken; it is sent again */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "on_alarm.measure": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Given once; send it as Last-Event-ID to continue after this event */
                    id: string;
                    /** @description Ascends; numbers in between belong to others */
                    sequence: number;
                    /** @description UTC, ISO 8601 */
                    time: string;
                    userId: number;
                    /** @constant */
                    type: "alarm.measure";
                    brokerageCode: string;
                    accountNumber: string;
                    symbol: string;
                    /** @description Why, for people */
                    message: string;
                };
            };
        };
        responses: {
            /** @description Taken; any 2xx will do */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not taken; it is sent again */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "on_symbol.held": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Given once; send it as Last-Event-ID to continue after this event */
                    id: string;
                    /** @description Ascends; numbers in between belong to others */
                    sequence: number;
                    /** @description UTC, ISO 8601 */
                    time: string;
                    userId: number;
                    /** @constant */
                    type: "symbol.held";
                    symbol: string;
                    /** @description The last close; null: held by hand */
                    from: number | null;
                    /** @description The first price of the session; null: held by hand */
                    to: number | null;
                    /** @description Why, for people */
                    message: string;
                };
            };
        };
        responses: {
            /** @description Taken; any 2xx will do */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not taken; it is sent again */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "on_symbol.released": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Given once; send it as Last-Event-ID to continue after this event */
                    id: string;
                    /** @description Ascends; numbers in between belong to others */
                    sequence: number;
                    /** @description UTC, ISO 8601 */
                    time: string;
                    userId: number;
                    /** @constant */
                    type: "symbol.released";
                    symbol: string;
                    /** @description Why, for people */
                    message: string;
                };
            };
        };
        responses: {
            /** @description Taken; any 2xx will do */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not taken; it is sent again */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "on_trading.stateChanged": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Given once; send it as Last-Event-ID to continue after this event */
                    id: string;
                    /** @description Ascends; numbers in between belong to others */
                    sequence: number;
                    /** @description UTC, ISO 8601 */
                    time: string;
                    userId: number;
                    /** @constant */
                    type: "trading.stateChanged";
                    /** @enum {string} */
                    scope: "installation" | "user" | "account";
                    brokerageCode: string | null;
                    accountNumber: string | null;
                    /** @enum {string} */
                    state: "active" | "reducing" | "halted";
                    reason: string;
                    /** @description True: stop-losses do not fire either */
                    includingStops: boolean;
                };
            };
        };
        responses: {
            /** @description Taken; any 2xx will do */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not taken; it is sent again */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "on_ledger.foreignSell": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Given once; send it as Last-Event-ID to continue after this event */
                    id: string;
                    /** @description Ascends; numbers in between belong to others */
                    sequence: number;
                    /** @description UTC, ISO 8601 */
                    time: string;
                    userId: number;
                    /** @constant */
                    type: "ledger.foreignSell";
                    brokerageCode: string;
                    accountNumber: string;
                    symbol: string;
                    /** @description Lots that were sold */
                    quantity: number;
                    /** @description Lots that are left */
                    held: number;
                };
            };
        };
        responses: {
            /** @description Taken; any 2xx will do */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not taken; it is sent again */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "on_price.reached": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Given once; send it as Last-Event-ID to continue after this event */
                    id: string;
                    /** @description Ascends; numbers in between belong to others */
                    sequence: number;
                    /** @description UTC, ISO 8601 */
                    time: string;
                    userId: number;
                    /** @constant */
                    type: "price.reached";
                    alertId: number;
                    symbol: string;
                    /**
                     * @description atOrAbove: a price of at least `price` reaches it; atOrBelow: one of at most `price`
                     * @enum {string}
                     */
                    direction: "atOrAbove" | "atOrBelow";
                    price: number;
                    note: string | null;
                    /** @description The price that reached it */
                    reachedPrice: number;
                    /** @description True: the alert remains under watch; absent in events of older versions */
                    repeat?: boolean;
                };
            };
        };
        responses: {
            /** @description Taken; any 2xx will do */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not taken; it is sent again */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "on_price.expired": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Given once; send it as Last-Event-ID to continue after this event */
                    id: string;
                    /** @description Ascends; numbers in between belong to others */
                    sequence: number;
                    /** @description UTC, ISO 8601 */
                    time: string;
                    userId: number;
                    /** @constant */
                    type: "price.expired";
                    alertId: number;
                    symbol: string;
                    /**
                     * @description atOrAbove: a price of at least `price` reaches it; atOrBelow: one of at most `price`
                     * @enum {string}
                     */
                    direction: "atOrAbove" | "atOrBelow";
                    price: number;
                    note: string | null;
                    /** @description How many prices have reached it */
                    reachedCount: number;
                    /** @description When it ended; UTC, ISO 8601 */
                    until: string;
                };
            };
        };
        responses: {
            /** @description Taken; any 2xx will do */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not taken; it is sent again */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "on_limits.changed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Given once; send it as Last-Event-ID to continue after this event */
                    id: string;
                    /** @description Ascends; numbers in between belong to others */
                    sequence: number;
                    /** @description UTC, ISO 8601 */
                    time: string;
                    userId: number;
                    /** @constant */
                    type: "limits.changed";
                    brokerageCode: string;
                    accountNumber: string;
                    maxDailyLoss: number | null;
                    maxOrdersPerMinute: number | null;
                    maxOrderValue: number | null;
                };
            };
        };
        responses: {
            /** @description Taken; any 2xx will do */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not taken; it is sent again */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "on_alarm.lossLimit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Given once; send it as Last-Event-ID to continue after this event */
                    id: string;
                    /** @description Ascends; numbers in between belong to others */
                    sequence: number;
                    /** @description UTC, ISO 8601 */
                    time: string;
                    userId: number;
                    /** @constant */
                    type: "alarm.lossLimit";
                    brokerageCode: string;
                    accountNumber: string;
                    /** @description Why, for people */
                    message: string;
                };
            };
        };
        responses: {
            /** @description Taken; any 2xx will do */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not taken; it is sent again */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "on_account.flattened": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Given once; send it as Last-Event-ID to continue after this event */
                    id: string;
                    /** @description Ascends; numbers in between belong to others */
                    sequence: number;
                    /** @description UTC, ISO 8601 */
                    time: string;
                    userId: number;
                    /** @constant */
                    type: "account.flattened";
                    brokerageCode: string;
                    accountNumber: string;
                    /** @description The market sells that leave now */
                    orders: {
                        symbol: string;
                        /** @description Lots */
                        quantity: number;
                        clientOrderId: string;
                    }[];
                    /** @description What is held and not sold by them, and why */
                    left: {
                        symbol: string;
                        /** @description Lots */
                        quantity: number;
                        reason: string;
                    }[];
                    cancelledOrders: number;
                    cancelledGroups: number;
                    removedSetups: number;
                    /** @description Why, for people */
                    message?: string;
                };
            };
        };
        responses: {
            /** @description Taken; any 2xx will do */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not taken; it is sent again */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "on_alarm.soldAfterEnd": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Given once; send it as Last-Event-ID to continue after this event */
                    id: string;
                    /** @description Ascends; numbers in between belong to others */
                    sequence: number;
                    /** @description UTC, ISO 8601 */
                    time: string;
                    userId: number;
                    /** @constant */
                    type: "alarm.soldAfterEnd";
                    groupId: number;
                    order: {
                        clientOrderId: string;
                        orderNo: string;
                        symbol: string;
                        brokerageCode: string;
                        accountNumber: string;
                        filledQuantity: number;
                    };
                    /** @description Why, for people */
                    message: string;
                };
            };
        };
        responses: {
            /** @description Taken; any 2xx will do */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not taken; it is sent again */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "on_token.familyRevoked": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Given once; send it as Last-Event-ID to continue after this event */
                    id: string;
                    /** @description Ascends; numbers in between belong to others */
                    sequence: number;
                    /** @description UTC, ISO 8601 */
                    time: string;
                    userId: number;
                    /** @constant */
                    type: "token.familyRevoked";
                    familyId: number;
                    keyId: number;
                    reason?: string;
                };
            };
        };
        responses: {
            /** @description Taken; any 2xx will do */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not taken; it is sent again */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    on_price: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @constant */
                    type: "price";
                    symbol: string;
                    price: number;
                    /** @description When the price was true */
                    time: string;
                };
            };
        };
        responses: {
            /** @description Taken; any 2xx will do */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not taken; it is sent again */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    on_gap: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @constant */
                    type: "gap";
                    /** @description The Last-Event-ID that was given */
                    after: string;
                    /** @description The id after which the stream continues; read the lists again first */
                    resumesAfter: string;
                    /** @description Why, for people */
                    message: string;
                };
            };
        };
        responses: {
            /** @description Taken; any 2xx will do */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not taken; it is sent again */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    on_end: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @constant */
                    type: "end";
                    /** @description Why, for people */
                    message: string;
                };
            };
        };
        responses: {
            /** @description Taken; any 2xx will do */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not taken; it is sent again */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
}
