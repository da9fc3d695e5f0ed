/**
 * Rendering with a cluster at hand. Templates run in one go and cannot wait, so `lookup` answers from what is known; what it was asked
 * and did not know is fetched, and the chart is rendered again, until nothing is missing.
 */
import { fromHost, GoMap, type HostValue, type Value } from '@capstan/gotemplate';
import { isNotFound } from '@capstan/kube';
import { render } from '../render/render.ts';
import type { Rendered } from '../render/rendered.ts';
import type { Helm } from './context.ts';
import type { Renderer } from './rendering.ts';

/** Lookups that depend on lookups are rare; a chart that goes deeper than this goes on for ever. */
const ROUNDS = 20;

interface Question {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
}

export const renderLive: Renderer = async (helm, request) => {
  const { chart, values, release, capabilities, live, skipSchemaValidation, subNotes = false } = request;
  const known = new Map<string, Value>();
  for (let round = 1; ; round++) {
    const asked = new Map<string, Question>();
    const lookup = (apiVersion: string, kind: string, namespace: string, name: string): Value => {
      const question = { apiVersion, kind, namespace, name };
      const key = JSON.stringify(question);
      if (!known.has(key)) asked.set(key, question);
      return known.get(key) ?? new GoMap();
    };
    const outcome = attempt(() =>
      render(chart, {
        values,
        release,
        ...capabilities,
        skipSchemaValidation,
        subNotes,
        ...(live && { lookup }),
      }),
    );
    // A chart may well fail for want of an answer: only when all are known does its failure count.
    if (asked.size === 0 || round === ROUNDS) return outcome();
    for (const [key, question] of asked) known.set(key, fromHost(await answer(helm, question)));
  }
};

function attempt(step: () => Rendered): () => Rendered {
  try {
    const result = step();
    return () => result;
  } catch (error) {
    return () => {
      throw error;
    };
  }
}

async function answer(helm: Helm, { apiVersion, kind, namespace, name }: Question): Promise<HostValue> {
  const resource = await helm.discovery.forKind(apiVersion, kind);
  if (!resource) return {};
  try {
    if (name === '') {
      const { items, metadata } = await helm.client.list(resource, { namespace: namespace || undefined });
      return { apiVersion, kind: `${kind}List`, metadata, items } as unknown as HostValue;
    }
    return (await helm.client.get(resource, { namespace: namespace || undefined, name })) as unknown as HostValue;
  } catch (error) {
    if (isNotFound(error)) return {};
    throw error;
  }
}
