// Network diagrams: generated from managed nodes, with positions set by users.
import { ExactNumber } from '@yagura/core/http/exact-json';
import { type InvalidParam, Problem } from '@yagura/core/http/problem';
import type { AnyResource } from '@yagura/core/resource/define-resource';
import { exactFields } from '@yagura/core/resource/exact-position';
import { diagram, layer2Diagram, moveElementsPermission } from '@yagura/core/sonar/diagram/diagram';
import type { DiagramSource } from '@yagura/core/sonar/diagram/diagram-source';
import { type DiagramElements, diagramLimits } from '@yagura/core/sonar/diagram/element';
import { buildLayer2 } from '@yagura/core/sonar/diagram/layer2';
import { buildLayer3 } from '@yagura/core/sonar/diagram/layer3';
import { layOutDiagram, type MovedPosition } from '@yagura/core/sonar/diagram/layout';
import { isoTime } from '../../common/clock.ts';
import { isUuid } from '../../common/id.ts';
import type { Queryable } from '../../db/database.ts';
import type { Behaviour } from '../../resource/behaviour.ts';
import { announce, changeOf } from '../../resource/item-operations.ts';
import { assertParentVisible, lockParent } from '../../resource/item-store.ts';
import type { RequestContext } from '../../resource/request-context.ts';
import { stateSql } from '../node-state.ts';

type Layer = 2 | 3;

/** Maximum coordinate, so that the drawing stays viewable. */
const maxCoordinate = 1_000_000;

export const diagramBehaviour = behaviourOf(diagram, 3);
export const layer2DiagramBehaviour = behaviourOf(layer2Diagram, 2);

function behaviourOf(resource: AnyResource, layer: Layer): Behaviour {
  return {
    resource,
    exactFields,
    calls: {
      async elements(context, body) {
        await assertParentVisible(context.services.database, context, resource);
        return elementsOf(context, layer, (body as { elements?: string[] }).elements);
      },
      layout: (context, body) => layout(context, resource, layer, (body as { elements: Move[] }).elements),
    },
  };
}

interface Move {
  elementId: string;
  /** Decimal digits; null returns the element to the automatic layout. */
  posX: string | null;
  posY: string | null;
}

async function layout(context: RequestContext, resource: AnyResource, layer: Layer, moves: readonly Move[]) {
  const { database } = context.services;
  if (moves.length > 0) context.require(moveElementsPermission);
  await assertParentVisible(database, context, resource);
  const elements = await elementsOf(context, layer);
  if (moves.length > 0) {
    assertKnownElements(context, elements, moves);
    const networkId = context.params.networkId!;
    const entry = changeOf(context, resource, 'move', { id: networkId, after: { elements: moves } });
    await database.transaction(async (tx) => {
      await lockParent(tx, context, resource);
      await save(tx, context, layer, moves);
      await context.services.audit.write(tx, entry);
    });
    announce(context, resource, networkId, 'update');
  }
  const laid = layOutDiagram(elements, await movedOf(database, context, layer));
  return { ...laid, nodes: laid.nodes.map(exact), subnets: laid.subnets.map(exact) };
}

function exact<E extends { posX?: string | undefined; posY?: string | undefined }>(element: E) {
  return { ...element, posX: new ExactNumber(element.posX!), posY: new ExactNumber(element.posY!) };
}

async function elementsOf(
  context: RequestContext,
  layer: Layer,
  only?: readonly string[],
): Promise<DiagramElements> {
  const { database, clock } = context.services;
  const wanted = only?.map((id) => id.replace(/^node:/, ''));
  const ids = wanted?.filter(isUuid) ?? null;
  const { rows } = await database.query<DiagramSource & { total: number }>(
    `select m.managed_node_id as "managedNodeId", m.display_name as "displayName", ${stateSql.replaceAll('{now}', '$3::timestamptz')} as state,
       m.addr, m.macaddr, m.vendor, m.facts->'interfaces' as interfaces, m.facts->'neighbors' as neighbors,
       m.facts->'deviceTypes' as "deviceTypes", m.facts->'addresses' as addresses, count(*) over ()::int as total
     from managed_node m join resource w on w.space_id = m.space_id and w.kind = 'network' and w.id = m.network_id
     where m.space_id = $1 and m.network_id = $2 and ($4::uuid[] is null or m.managed_node_id = any($4::uuid[]))
     order by m.number_of_addresses desc, m.display_name collate "C", m.managed_node_id limit ${diagramLimits.nodes}`,
    [context.spaceId, context.params.networkId, isoTime(clock.now()), ids],
  );
  const sources = rows.map((row) => ({
    ...row,
    interfaces: row.interfaces ?? [],
    neighbors: row.neighbors ?? [],
    deviceTypes: row.deviceTypes ?? [],
    addresses: row.addresses ?? [],
  }));
  const deps = layer === 3 ? buildLayer3(sources) : buildLayer2(sources);
  const total = rows[0]?.total ?? 0;
  return { ...deps, total, truncated: deps.truncated || total > rows.length };
}

/** A moved element must be in the diagram; one reset to the automatic layout may be gone. */
function assertKnownElements(
  context: RequestContext,
  elements: DiagramElements,
  moves: readonly Move[],
): void {
  const known = new Set([...elements.nodes, ...elements.subnets].map(({ elementId }) => elementId));
  const invalidParams = moves.flatMap(({ elementId, posX, posY }, index): InvalidParam[] => {
    const at = `elements.${index}`;
    if (posX === null && posY === null) return [];
    if (!known.has(elementId))
      return [{ name: `${at}.elementId`, reason: context.t('sonar.diagram.no-element') }];
    return (['posX', 'posY'] as const).flatMap((name) => {
      const digits = name === 'posX' ? posX : posY;
      if (digits === null) return [{ name: `${at}.${name}`, reason: context.t('rule.required') }];
      if (Math.abs(Number(digits)) <= maxCoordinate) return [];
      return [
        {
          name: `${at}.${name}`,
          reason: context.t('rule.inRange', { min: -maxCoordinate, max: maxCoordinate }),
        },
      ];
    });
  });
  if (invalidParams.length > 0) throw new Problem('invalid', { invalidParams });
}

/** The last move of an element wins. */
async function save(
  tx: Queryable,
  context: RequestContext,
  layer: Layer,
  moves: readonly Move[],
): Promise<void> {
  const last = [...new Map(moves.map((move) => [move.elementId, move])).values()];
  const kept = last.filter(({ posX }) => posX !== null);
  const { networkId } = context.params;
  await tx.query(
    'delete from diagram_position where network_id = $1 and layer = $2 and element_id = any($3)',
    [networkId, layer, last.filter(({ posX }) => posX === null).map(({ elementId }) => elementId)],
  );
  await tx.query(
    `insert into diagram_position (space_id, network_id, layer, element_id, pos_x, pos_y)
     select $1, $2, $3, id, x, y from unnest($4::text[], $5::text[], $6::text[]) as given(id, x, y)
     on conflict (network_id, layer, element_id) do update set pos_x = excluded.pos_x, pos_y = excluded.pos_y`,
    [
      context.spaceId,
      networkId,
      layer,
      kept.map(({ elementId }) => elementId),
      kept.map(({ posX }) => posX),
      kept.map(({ posY }) => posY),
    ],
  );
}

async function movedOf(
  db: Queryable,
  context: RequestContext,
  layer: Layer,
): Promise<Map<string, MovedPosition>> {
  const { rows } = await db.query<{ element_id: string; pos_x: string; pos_y: string }>(
    'select element_id, pos_x, pos_y from diagram_position where space_id = $1 and network_id = $2 and layer = $3',
    [context.spaceId, context.params.networkId, layer],
  );
  return new Map(rows.map((row) => [row.element_id, { posX: row.pos_x, posY: row.pos_y }]));
}
