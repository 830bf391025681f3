"""The definitions and the dbt project of impact_dbt.py: fixed models of each kind, and random models."""

DEFINITIONS = """# search

## show

| column | type |
| --- | --- |
| query | string |
| position | int |
| results | int? |
| order | enum(newest, popular)? |
| price | double? |

## tap

| column | type |
| --- | --- |
| query | string |
| position | int |
| item | string |
| dwell | double? |
| unused | string? |

## buy

| column | type |
| --- | --- |
| item | string |
| price | double |
| quantity | int |
| coupon | string? |
"""

FILES = {
    "dbt_project.yml": """name: shop
version: 1.0.0
config-version: 2
profile: logs
macro-paths: [macros]
analysis-paths: [analyses]
""",
    "macros/columns.sql": """{% macro cents(column) %}cast(100 * {{ column }} as integer){% endmacro %}

{% macro ratio() %}(position * 1.0 / results){% endmacro %}

{% macro shown() %}{{ source('logs', 'shown') }}{% endmacro %}

{% macro columns_of(names) %}{% for name in names %}{{ name }}{% if not loop.last %}, {% endif %}{% endfor %}{% endmacro %}

{% test above(model, column_name, other) %}select * from {{ model }} where {{ column_name }} > {{ other }} + 1000{% endtest %}

{% test no_empty_item(model) %}select * from {{ model }} where item = ''{% endtest %}
""",
    "models/sources.yml": """version: 2
sources:
  - name: logs
    schema: main
    tables:
      - name: shown
        identifier: search__show
        columns:
          - name: query
            tests: [not_null]
          - name: position
            tests:
              - above: {other: results}
              - not_null: {name: positions, config: {where: "price > 0"}}
          - name: event_id
            tests:
              - relationships: {to: "source('logs', 'search__tap')", field: event_id}
          - name: order
            quote: true
            tests:
              - accepted_values: {values: [newest, popular]}
      - name: search__tap
        tests: [no_empty_item]
  - name: shop
    schema: analytics
    tables:
      - name: purchases
        columns:
          - name: quantity
            tests: [not_null]
""",
    "models/models.yml": """version: 2
groups:
  - name: growth
    owner: {name: Growth, email: growth@example.com}
models:
  - name: search_ctr
    columns:
      - name: query
        tests: [not_null]
  - name: day_spine
    time_spine: {standard_granularity_column: date_day}
    columns: [{name: date_day, granularity: day}]
semantic_models:
  - name: shows
    model: ref('stg_show')
    defaults: {agg_time_dimension: occurred_at}
    entities: [{name: show, type: primary, expr: event_id}]
    dimensions: [{name: occurred_at, type: time, type_params: {time_granularity: day}}]
    measures: [{name: total_position, agg: sum, expr: rank}]
metrics:
  - name: positions
    label: positions
    type: simple
    type_params: {measure: total_position}
exposures:
  - name: ctr
    label: Search CTR
    type: dashboard
    url: https://example.com/ctr
    depends_on: ["ref('search_ctr')"]
    owner: {name: Ana, email: ana@example.com}
  - name: raw
    type: notebook
    depends_on: ["source('shop', 'purchases')"]
    owner: {email: raw@example.com}
""",
    "models/day_spine.sql": "select date '2026-04-01' as date_day\n",
    "models/stg_show.sql": """select
    event_id,
    occurred_at,
    query,
    position as rank,
    results,
    "order" as sort
from {{ source('logs', 'shown') }}
""",
    "models/stg_tap.sql": """{{ config(materialized='view', group='growth') }}
with raw as (select * from {{ source('logs', 'search__tap') }})

select * from raw
""",
    "models/stg_buy.sql": """{{ config(alias='purchase') }}
select
    b.event_id,
    b.item,
    b.quantity,
    {{ cents('b.price') }} as cents
from {{ source('shop', 'purchases') }} as b
""",
    "models/search_ctr.sql": """{{ config(materialized='table') }}
with
    shows as (select query, count(*) as shows, avg(rank) as rank from {{ ref('stg_show') }} group by 1),
    taps as (select query, count(*) as taps from {{ ref('stg_tap') }} group by query)

select shows.query, shows.shows, shows.rank, coalesce(taps.taps, 0) as taps
from shows left join taps using (query)
""",
    "models/ratios.sql": "select event_id, {{ ratio() }} as ratio from {{ source('logs', 'shown') }}\n",
    "models/hidden_source.sql": "select count(*) as rows, max(price) as price from {{ shown() }}\n",
    "models/listed.sql": "select {{ columns_of(['item', 'dwell']) }} from {{ source('logs', 'search__tap') }}\n",
    "models/looped.sql": """select
{% for name in ['coupon', 'item'] %}    count(distinct {{ name }}) as {{ name }}_count{{ "," if not loop.last }}
{% endfor %}from {{ source('shop', 'purchases') }}
""",
    "models/relation.sql": """{% set taps = source('logs', 'search__tap') %}
{% set wanted = 'dwell' %}
select t.{{ wanted }}, upper(t.item) as item from {{ taps }} t where t.position > 0
""",
    "models/adapter.sql": """select {{ dbt.concat(['query', "'!'"]) }} as loud, {{ dbt.date_trunc('day', 'occurred_at') }} as day
from {{ source('logs', 'shown') }}
""",
    "models/ephemeral_taps.sql": """{{ config(materialized='ephemeral') }}
select item, avg(dwell) as dwell from {{ source('logs', 'search__tap') }} group by item
""",
    "models/items.sql": """select e.item, e.dwell, b.quantity
from {{ ref('ephemeral_taps') }} e join {{ ref('stg_buy') }} b using (item)
""",
    "models/incremental_taps.sql": """{{ config(materialized='incremental', unique_key='event_id') }}
select event_id, occurred_at, item
from {{ source('logs', 'search__tap') }}
{% if is_incremental() %}where occurred_at > (select max(occurred_at) from {{ this }}) or dwell > 10000{% endif %}
""",
    "models/incremental_star.sql": """{{ config(materialized='incremental', unique_key='event_id', on_schema_change='fail') }}
select * from {{ source('shop', 'purchases') }}
""",
    "models/hard_coded.sql": "select count(*) filter (position < 3) as top from main.search__show\n",
    "models/excluded.sql": "select * exclude (unused) from {{ source('logs', 'search__tap') }}\n",
    "models/described.sql": """{% set names = adapter.get_columns_in_relation(source('shop', 'purchases')) | map(attribute='name') | list %}
select {% if names %}{{ names | join(', ') }}{% else %}1 as nothing{% endif %} from {{ source('shop', 'purchases') }}
""",
    "models/three_tables.sql": """select s.query, t.item, sum(b.price * b.quantity) as revenue,
    row_number() over (partition by s.query order by s.results desc nulls last, t.item) as number
from {{ source('logs', 'shown') }} s
join {{ source('logs', 'search__tap') }} t on s.query = t.query and s.position = t.position
left join {{ source('shop', 'purchases') }} b on b.item = t.item and b.coupon is not null
group by s.query, t.item, s.results
""",
    "models/unioned.sql": """select event_id, item, price from {{ source('shop', 'purchases') }}
union all
select event_id, item, dwell from {{ source('logs', 'search__tap') }}
where exists (select 1 from {{ source('logs', 'shown') }} shown where shown.query = search__tap.query)
""",
    "snapshots/prices.sql": """{% snapshot prices %}
{{ config(unique_key='event_id', strategy='check', check_cols=['price']) }}
select event_id, item, price from {{ source('shop', 'purchases') }}
{% endsnapshot %}
""",
    "snapshots/all_taps.sql": """{% snapshot all_taps %}
{{ config(unique_key='event_id', strategy='timestamp', updated_at='occurred_at') }}
select * from {{ source('logs', 'search__tap') }}
{% endsnapshot %}
""",
    "snapshots/shows.yml": """version: 2
snapshots:
  - name: show_history
    relation: source('logs', 'shown')
    config: {unique_key: event_id, strategy: timestamp, updated_at: occurred_at}
""",
    "models/current_prices.sql": "select item, price from {{ ref('prices') }} where dbt_valid_to is null\n",
    "models/tap_history.sql": "select item, count(*) as rows from {{ ref('all_taps') }} group by item\n",
    "tests/positive.sql": "select * from {{ source('logs', 'shown') }} where position < -1000\n",
    "analyses/coupons.sql": "select coupon, count(*) as rows from {{ source('shop', 'purchases') }} group by coupon\n",
}
SOURCES = {"show": ("logs", "shown"), "tap": ("logs", "search__tap"), "buy": ("shop", "purchases")}


def write_project(folder, columns, random, models=80):
    """Writes the project with a number of random models over the columns of each event."""
    for name, text in FILES.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    # Relations with the names of their columns.
    relations = [("{{ source('%s', '%s') }}" % SOURCES[event], [name for name, _ in columns[event]]) for event in columns]
    for number in range(models):
        text, names = model(random, relations)
        (folder / f"models/random_{number}.sql").write_text(text)
        relations.append(("{{ ref('random_%d') }}" % number, names))


def quoted(name):
    return f'"{name}"' if name == "order" else name


def expression(random, name):
    name = quoted(name) if "." not in name else ".".join(map(quoted, name.split(".")))
    return random.choice(["{}", "{}", "coalesce(cast({} as varchar), '')", "{{{{ dbt.safe_cast('{}', 'varchar') }}}}",
                          "case when {} is null then 1 end", "length(cast({} as varchar))"]).format(name.replace("'", "")), name


def listing(random, names, prefix=""):
    """Returns a select list of some columns, and the names of its columns."""
    chosen = random.sample(names, random.randint(1, min(4, len(names))))
    items, outputs = [], []
    for name in chosen:
        output = name if random.random() < 0.6 else f"{name}_{random.randint(1, 9)}"
        if output in outputs:
            continue
        items.append(f"{expression(random, prefix + name)[0]} as {quoted(output)}")
        outputs.append(output)
    return ",\n    ".join(items), outputs


def model(random, relations):
    """Returns the code of a model and the names of its columns."""
    (one, names), (two, others) = random.choice(relations), random.choice(relations)
    items, outputs = listing(random, names)
    chosen, other = random.choice(names), random.choice(others)
    match random.randrange(9):
        case 0: return f"select\n    {items}\nfrom {one}\n", outputs
        case 1: return f"select\n    {items}\nfrom {one}\nwhere {quoted(chosen)} is not null\n", outputs
        case 2: return f"with a as (\n  select * from {one}\n), b as (select * from a)\nselect {items}\nfrom b\n", outputs
        case 3:
            left, right = quoted(chosen), quoted(other)
            items, outputs = listing(random, names, "l.")
            more = f"max(cast(r.{quoted(random.choice(others))} as varchar)) as most"
            return (f"select {items}, {more}\nfrom {one} l\nleft join {two} as r\n  on cast(l.{left} as varchar) = "
                    f"cast(r.{right} as varchar)\ngroup by all\n"), outputs + ["most"]
        case 4:
            return f"select {quoted(chosen)} as grouped, count(*) as rows\nfrom {one}\ngroup by 1 order by 2\n", ["grouped", "rows"]
        case 5:
            return (f"select cast({quoted(chosen)} as varchar) as united from {one}\nunion all\n"
                    f"select cast({quoted(other)} as varchar) from {two}\n"), ["united"]
        case 6: return f"select * from {one}\n", names
        case 7:
            return (f"select {items}\nfrom {one} as o\nwhere exists (select 1 from {two} i where "
                    f"cast(i.{quoted(other)} as varchar) = cast(o.{quoted(chosen)} as varchar))\n"), outputs
        case _:
            return (f"select * from (\n  select {items}, rank() over (order by {quoted(chosen)}) as place from {one}\n"
                    f") where place < 5\n"), outputs + ["place"]
