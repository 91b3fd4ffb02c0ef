/** `users` and `keys`: who may use the interface. */
import { InvalidArgumentError } from "commander";
import { SCOPES, type Scope } from "../../../src/domain/family.ts";
import type { AddCommands } from "../command.ts";
import { wholeNumber } from "../parse.ts";

export const addUserCommands: AddCommands = (program, run) => {
  const users = program.command("users").description("users of the installation");
  users
    .command("create <name>")
    .description("creates a user, without a key")
    .action((name: string) =>
      run(async ({ api, output }) => {
        const created = await api.unwrap(api.client.POST("/admin/v1/users", { body: { name } }));
        output.data(created.data);
      }),
    );

  users
    .command("list")
    .description("lists all users")
    .action(() =>
      run(async ({ api, output }) => output.data((await api.unwrap(api.client.GET("/admin/v1/users"))).data)),
    );

  const keys = program.command("keys").description("API keys of a user");
  keys
    .command("create <userId> <name>")
    .description("creates a key; it is shown this once")
    .option("--scopes <scopes>", `what it allows, separated by commas: ${SCOPES.join(", ")}`, parseScopes, ["read"])
    .action((userId: string, name: string, { scopes }: { scopes: Scope[] }) =>
      run(async ({ api, output }) => {
        const params = { path: { userId: wholeNumber(userId) } };
        const path = "/admin/v1/users/{userId}/api-keys";
        const created = await api.unwrap(api.client.POST(path, { params, body: { name, scopes } }));
        output.data(created.data);
      }),
    );
  keys
    .command("list <userId>")
    .description("lists a user's keys, without the keys themselves")
    .action((userId: string) =>
      run(async ({ api, output }) => {
        const params = { path: { userId: wholeNumber(userId) } };
        const listed = await api.unwrap(api.client.GET("/admin/v1/users/{userId}/api-keys", { params }));
        output.data(listed.data);
      }),
    );
  keys
    .command("revoke <userId> <keyId>")
    .description("revokes a key and ends the tokens that came from it")
    .action((userId: string, keyId: string) =>
      run(async ({ api, output }) => {
        const params = { path: { userId: wholeNumber(userId), keyId: wholeNumber(keyId) } };
        const path = "/admin/v1/users/{userId}/api-keys/{keyId}";
        const { message } = await api.unwrap(api.client.DELETE(path, { params }));
        output.data({ message });
      }),
    );
};

function parseScopes(text: string): Scope[] {
  const words = text.split(",").map((word) => word.trim());
  const unknown = words.find((word) => !SCOPES.some((scope) => scope === word));
  if (unknown !== undefined) throw new InvalidArgumentError(`${unknown} is not a scope`);
  return SCOPES.filter((scope) => words.includes(scope));
}
