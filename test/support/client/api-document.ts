/**
 * The OpenAPI document as a judge: which operations exist, what a request of each may contain, whether an answer
 * conforms.
 */
import assert from "node:assert/strict";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import { z } from "zod";

const schemaSchema = z.record(z.string(), z.unknown());
const contentSchema = z.record(z.string(), z.looseObject({ schema: schemaSchema, example: z.unknown().optional() }));
const responseSchema = z.looseObject({
  $ref: z.string().optional(),
  headers: z.record(z.string(), z.looseObject({ required: z.boolean().default(true) })).default({}),
  content: contentSchema.default({}),
});
const operationSchema = z.looseObject({
  operationId: z.string(),
  tags: z.array(z.string()).min(1),
  summary: z.string().min(1),
  description: z.string().min(1),
  security: z.array(z.record(z.string(), z.array(z.string()))),
  parameters: z
    .array(z.looseObject({ name: z.string(), in: z.string(), required: z.boolean(), schema: schemaSchema }))
    .default([]),
  requestBody: z.object({ required: z.boolean(), content: contentSchema }).optional(),
  responses: z.record(z.string(), responseSchema),
});
type DescribedOperation = z.infer<typeof operationSchema>;

const documentSchema = z.looseObject({
  openapi: z.literal("3.1.0"),
  paths: z.record(z.string(), z.record(z.string(), operationSchema)),
  components: z.looseObject({
    responses: z.record(z.string(), responseSchema),
    schemas: z.record(z.string(), schemaSchema),
  }),
});

interface AnswerToCheck {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
}

type Schema = Readonly<Record<string, unknown>>;

interface Leaf {
  /** As a message names it: `takeProfitItems[0].price`. */
  readonly field: string;
  readonly path: readonly (string | number)[];
  readonly schema: Schema;
  /** The example's value; undefined if the example lacks it. */
  readonly value: unknown;
}

export interface ExampleRequest {
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly body: unknown;
}

const DOCUMENT_ID = "https://document.example/openapi.json";

export class ApiDocument {
  readonly #document: z.infer<typeof documentSchema>;
  readonly #ajv: Ajv2020;
  readonly #validators = new Map<string, ValidateFunction>();

  /** `text`: of `/openapi.json`. Answers may hold nothing that it does not name. */
  constructor(text: string) {
    this.#document = documentSchema.parse(JSON.parse(text));
    this.#ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true });
    this.#ajv.addSchema({ ...(closeObjects(this.#document) as object), $id: DOCUMENT_ID });
  }

  /** Every operation as `GET /path/{id}`. */
  get operations(): ReadonlyMap<string, DescribedOperation> {
    const found = new Map<string, DescribedOperation>();
    for (const [path, methods] of Object.entries(this.#document.paths)) {
      for (const [method, operation] of Object.entries(methods))
        found.set(`${method.toUpperCase()} ${path}`, operation);
    }
    return found;
  }

  find(name: string): DescribedOperation {
    const operation = this.operations.get(name);
    assert.ok(operation !== undefined, `the document has no ${name}`);
    return operation;
  }

  /** A schema with what it refers to put in its place, one level deep. */
  resolve(schema: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
    const name = typeof schema.$ref === "string" ? schema.$ref.split("/").at(-1) : undefined;
    return name === undefined ? schema : (this.#document.components.schemas[name] ?? {});
  }

  /** Fails unless the document describes this answer of the operation: status, headers and body. */
  check(name: string, answer: AnswerToCheck): void {
    const status = String(answer.status);
    const responses = this.find(name).responses;
    const told = responses[status];
    assert.ok(told !== undefined, `${name} answered ${status}, which is not in the document`);
    const { pointer, response } = this.#locate(name, status, told);
    for (const [header, { required }] of Object.entries(response.headers)) {
      assert.ok(!required || answer.headers.has(header), `${name} ${status} has no ${header}`);
    }
    const [mediaType = ""] = Object.keys(response.content);
    assert.equal(answer.headers.get("content-type")?.split(";")[0], mediaType, `${name} ${status}`);
    if (mediaType !== "application/json") return;
    this.#validate(`${pointer}/content/application~1json/schema`, answer.body, `${name} ${status}`);
  }

  /** Fails unless the operation's examples exist and match its schemas. */
  checkExamples(name: string): void {
    const { requestBody, responses } = this.find(name);
    const base = pointerOf(name);
    for (const [mediaType, { example }] of Object.entries(requestBody?.content ?? {})) {
      if (mediaType !== "application/json") continue;
      assert.ok(example !== undefined, `${name} has no example of a body`);
      this.#validate(`${base}/requestBody/content/application~1json/schema`, example, `${name} body`);
    }
    for (const [status, told] of Object.entries(responses)) {
      const { pointer, response } = this.#locate(name, status, told);
      const json = response.content["application/json"];
      if (json === undefined) continue;
      assert.ok(json.example !== undefined, `${name} ${status} has no example`);
      this.#validate(`${pointer}/content/application~1json/schema`, json.example, `${name} ${status}`);
    }
  }

  /** The request that the document shows as an example of the operation. */
  exampleRequest(name: string): ExampleRequest {
    const [method = "", template = ""] = name.split(" ");
    const { parameters, requestBody } = this.find(name);
    const given = (place: string) =>
      parameters
        .filter((parameter) => parameter.in === place && (place === "path" || parameter.required))
        .map((parameter): readonly [string, string] => [parameter.name, String(parameter.example ?? "x")]);
    const path = given("path").reduce(
      (text, [key, value]) => text.replace(`{${key}}`, encodeURIComponent(value)),
      template,
    );
    const body = requestBody?.content["application/json"]?.example;
    return { method, path, query: Object.fromEntries(given("query")), body };
  }

  /** Every value that a body of the operation may hold, with its schema and the example's value, lists as well. */
  leavesOf(name: string): readonly Leaf[] {
    const content = this.find(name).requestBody?.content["application/json"];
    return content === undefined ? [] : this.#leaves(content.schema, content.example, []);
  }

  #leaves(given: Schema, value: unknown, path: Leaf["path"]): readonly Leaf[] {
    const schema = this.#optionFor(this.resolve(given), value);
    const shape = schema.properties as Readonly<Record<string, Schema>> | undefined;
    if (shape !== undefined) {
      const fields = (value ?? {}) as Readonly<Record<string, unknown>>;
      return Object.entries(shape).flatMap(([key, inner]) => this.#leaves(inner, fields[key], [...path, key]));
    }
    const field = path.map((part) => (typeof part === "number" ? `[${part}]` : `.${part}`)).join("");
    const leaf = { field: field.replace(/^\./, ""), path, schema, value };
    const isBatch = path.length === 1 && path[0] === "items";
    if (schema.type !== "array" || isBatch) return [leaf];
    const items = Array.isArray(value) ? (value as readonly unknown[]) : [];
    return [leaf, ...this.#leaves(schema.items as Schema, items[0], [...path, 0])];
  }

  /** Returns the alternative of a value that its example matches, or else the first that is not null. */
  #optionFor(schema: Schema, value: unknown): Schema {
    const options = ((schema.anyOf ?? schema.oneOf ?? []) as readonly Schema[]).map((option) => this.resolve(option));
    if (options.length === 0) return schema;
    const isLike = (option: Schema) => this.#ajv.validate({ ...option }, value);
    const option = options.find((one) => one.type !== "null" && value !== undefined && isLike(one));
    return this.#optionFor(option ?? options.find(({ type }) => type !== "null") ?? schema, value);
  }

  #locate(name: string, status: string, told: z.infer<typeof responseSchema>) {
    if (told.$ref === undefined) return { pointer: `${pointerOf(name)}/responses/${status}`, response: told };
    const shared = told.$ref.split("/").at(-1) ?? "";
    const response = this.#document.components.responses[shared];
    assert.ok(response !== undefined, `there is no ${told.$ref}`);
    return { pointer: `/components/responses/${shared}`, response };
  }

  #validate(pointer: string, value: unknown, what: string): void {
    const validate = this.#validators.get(pointer) ?? this.#ajv.compile({ $ref: `${DOCUMENT_ID}#${pointer}` });
    this.#validators.set(pointer, validate);
    assert.ok(validate(value), `${what}: ${this.#ajv.errorsText(validate.errors)}\n${JSON.stringify(value)}`);
  }
}

function pointerOf(name: string): string {
  const [method = "", path = ""] = name.split(" ");
  return `/paths/${encodeURIComponent(path.replaceAll("~", "~0").replaceAll("/", "~1"))}/${method.toLowerCase()}`;
}

/** The same document whose objects may hold nothing that is not named. */
function closeObjects(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closeObjects);
  if (typeof value !== "object" || value === null) return value;
  const closed = Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, closeObjects(inner)]));
  const isObject = closed.type === "object" && typeof closed.properties === "object";
  return isObject && !("additionalProperties" in closed) ? { ...closed, additionalProperties: false } : closed;
}
